"""Reports: what a person looks at and listens to, made from a finished set."""
