"""Words of English that tell a command from a statement, a question and a give-away."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """The words of ``text``."""
    return frozenset(text.split())


# Said or left out, the sentence stays the same; of two texts, and before a command.
FILLERS = listed("please kindly just now okay ok hey so well then thanks")
OPENERS = FILLERS | listed(
    "also and but hi hello alright right yes yeah oh first finally next later again simply quick "
    "today tonight tomorrow instead"
)
# Begin a part that stands before the main clause and ends at a comma.
FRONTED = listed(
    "when whenever before after once while if unless until till as since because by at on in for "
    "from during with without upon past around given every this next tomorrow today tonight later "
    "where wherever starting"
)

# What is commanded, in the base form. A verb that is missing makes its triggers refused.
VERBS = listed(
    """
    accept access activate add adjust alert allow answer apply approve archive arm arrange ask
    assign attach authorize back ban be bill block book boost bring broadcast browse build bump
    buy calculate call cancel capture cast change charge check choose clean clear clip close
    combine come compare complete compose compress confirm connect continue convert cook cool
    copy count cover create crop cut dampen deactivate deal decline decrease defrost delay delete
    deliver deny deposit describe dial dim direct disable disarm discard disconnect dismiss
    dispatch display divide do donate double download draft drain drive drop dry duplicate edit
    eject email empty enable encrypt end engage enroll ensure enter erase establish exit expand
    explain export extend fast fetch file fill find finish fix flag flash flip flush fold follow
    format forward freeze fund gather generate get give go grab grant halt hand hang heat help
    hide highlight hire hit hold honk hook identify ignore import include increase inform insert
    inspect install invite issue join jump keep kick kill label launch lay leave lend let light
    limit link list listen load locate lock log look loosen lower mail make map mark match measure
    meet mention merge message mix monitor mount move mute name navigate nominate note notify open
    order organize pack page pair park pass paste pause pay phone pick ping place plan play plot
    plug point polish post postpone pour power preheat prepare press prevent print prioritize
    proceed process program prolong promote provide publish pull pump purchase purge push put
    query queue quit raise ramp read reboot recall receive recharge record recover redial redirect
    redo reduce refill refresh refund register reject release reload remember remind remit remove
    rename renew rent repair repeat replace replay reply report request reschedule reserve reset
    resend resolve respond restart restore restrict resume retrieve return reveal reverse revert
    review revoke rewind rewrite ring roll rotate route run save say scan schedule scroll seal
    search secure select sell send separate serve set settle share shift ship shorten show shred
    shuffle shut sign signal silence skip slide slow snooze solve sort sound speak speed spell
    spend split spray spread stack start stay steer stop store stream submit subscribe subtract
    suggest summarize summon supply suspend swap sweep switch sync tag take talk tap tell terminate
    test text throw tighten time tip toggle top trace track trade train transcribe transfer
    translate transmit trash trigger trim trust try tune turn unblock uncover undo uninstall unlink
    unload unlock unmute unpack unpair unplug unsubscribe update upgrade upload use validate verify
    view visit wait wake walk warm warn wash watch water wipe wire withdraw withhold wrap write
    zip zoom

    administer apologize bake beam bet bid bookmark boil brew cash chat congratulate deduct
    dispense dock escort feed fly fry google greet guard hail insure invest iron land mop mow pin
    rate rehearse rescue roast rsvp scrub thank tow unpin vacuum vote

    avoid be believe beware breathe calm cheer climb cross dance dig dress drink eat enjoy excuse
    feel fight forget forgive guess have hope hurry imagine knock laugh learn mind paint plant
    pretend promise relax rest ride shout sing sit sleep smell smile stand step study swim switch
    taste teach think touch wear whisper win wish wonder work worry
    """
)
IRREGULAR = {
    "be": "was were been is are",
    "bring": "brought",
    "build": "built",
    "buy": "bought",
    "choose": "chose chosen",
    "come": "came",
    "deal": "dealt",
    "do": "did done does",
    "drive": "drove driven",
    "find": "found",
    "freeze": "froze frozen",
    "get": "got gotten",
    "give": "gave given",
    "go": "went gone goes",
    "hang": "hung",
    "hide": "hid hidden",
    "hold": "held",
    "keep": "kept",
    "lay": "laid",
    "leave": "left",
    "lend": "lent",
    "light": "lit",
    "make": "made",
    "meet": "met",
    "pay": "paid",
    "ring": "rang rung",
    "run": "ran",
    "say": "said",
    "sell": "sold",
    "send": "sent",
    "shut": "shut",
    "speak": "spoke spoken",
    "spend": "spent",
    "take": "took taken",
    "tell": "told",
    "throw": "threw thrown",
    "wake": "woke woken",
    "write": "wrote written",
}
# May be followed by a clause without "that": "text Mom dinner is ready", "tell Sam I am late".
SAYING = listed("tell text message email let ask inform remind notify warn page ping answer write")
SAYS = listed("say ensure remember confirm")
PEOPLE = listed(
    "mom mum mommy mama dad daddy papa grandma grandpa grandmother grandfather auntie uncle "
    "everyone everybody somebody someone anyone anybody folks work home customer support"
)

PRONOUNS = listed("i you he she it we they there who what that this")
OBJECTS = listed("me him her it us them myself himself herself itself ourselves themselves")
DETERMINERS = listed(
    "a an the my your his her its our their this that these those all both each every some any no "
    "another whichever whatever everything something anything nothing more enough half double "
    "several few many most one"
)
NUMBER_WORDS = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand million dozen"
)
OPENING_CLAUSE = listed(
    "that where what who whom whose how when whenever which why whether if because before after "
    "until till once while as since unless so saying and or but than"
)
WH = listed("where what who whom whose how when which why whether if")
PARTICLES = listed("up off on out back down over away in forward through ahead around along")
PREPOSITIONS = listed(
    "to for with at in from of about by into onto under over on near inside outside through via "
    "after before until till during between"
)
SURE = listed("sure certain careful ready")  # "make sure dinner is ready"

AUXILIARIES = listed(
    "is are am was were has have had will would can could should must may might shall does did do "
    "isn't aren't wasn't weren't hasn't haven't hadn't won't wouldn't can't cannot couldn't "
    "shouldn't mustn't doesn't didn't don't ain't"
)
# Past forms that stand before no noun as an adjective does.
PASTS = listed(
    "came went fell rose took gave got became grew ran sang saw said told stood sat thought kept "
    "began chose drew drove ate flew forgot knew spoke spent stole swam wore won wrote threw rang "
    "woke meant felt led brought bought taught caught fought slept sent"
)
# Past forms that do: "request paid leave", but "Bill paid the plumber".
PARTICIPLES = listed("paid made lost left built broke cut hit put set found held kept sold told")
# What a subject does that is no tool's verb.
HAPPENINGS = listed(
    "annoy pay vary fall rise come go cost take need want get make seem look stay arrive begin "
    "happen matter help hurt end start stop bother confuse please bore scare depend differ exist "
    "work run sound feel taste smell tend keep love hate like know think live sell grow last wear "
    "close open wait earn owe fly drop shift break sleep eat die confuse exhaust pile heal kill "
    "walk keep charge leave ring call carry bring give use mean stand sit hang lie"
)
# Also said of how something is or when: "keep doors open", "buy tickets last minute".
STATES = listed(
    "open clear cool dry warm light slow fast back empty separate complete last live free set cut "
    "close time"
)
# Their forms with -s that are no plural of a noun, and those that may be one: "work starts early".
DOES = listed(
    "annoys varies takes comes goes gets makes seems arrives begins happens bothers confuses bores "
    "depends differs exists tends keeps says gives becomes lets knows thinks wants owes lives "
    "hates includes heals dies feels"
)
MAY_DO = listed("sends starts ends lasts tastes smells sounds works likes loves means flies hurts")
LATER = listed(
    "late later early now today tomorrow yesterday tonight again already soon too often always "
    "never here there everywhere more less ages well badly quickly slowly twice fast fine forever "
    "apart longer shorter faster slower earlier better worse outside inside upstairs downstairs"
)
