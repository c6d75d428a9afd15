"""Speech: voice cards, the engines that speak them, and a voice that says text."""
