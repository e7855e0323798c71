# benchmarks: what the board's programs work on, made from a seed: two seeds give two inputs of the same kind that share no line.
import json
import os
import random
import shutil
import subprocess

from harness.project import Missing

WORDS = ("the quick brown fox jumps over lazy dogs while running waters carve valleys of stone river course deepest line along which "
         "a stream actually flows between banks and meadows event handler layer crossing kernel buffer table value pointer record "
         "reading writing walking making changing seldom often never always under above beside").split()


def text(random_, out, length=1):
    for number in range(6000 * length):
        words = [random_.choice(WORDS) for _ in range(random_.randint(4, 14))]
        if random_.random() < 0.3:
            words[random_.randrange(len(words))] += str(random_.randint(1, 9999))
        if random_.random() < 0.2:
            words = [word.capitalize() for word in words]
        out.write(" ".join(words) + f" {number * 7919 % 1000}\n")


def xml(random_, out, length=1):
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE list [<!ENTITY river "Isar">]>\n<list xmlns:n="urn:n">\n')
    for number in range(3000 * length):
        name = random_.choice(WORDS)
        out.write(f'  <item id="{number}" n:kind="{random_.choice(WORDS)}"><name>{name} &amp; {random_.choice(WORDS)}</name>')
        for _ in range(random_.randint(0, 3)):
            out.write(f"<value unit='m'>{random_.uniform(0, 1000):.3f}</value>")
        if random_.random() < 0.2:
            out.write("<!-- &river; --><note>&river; <![CDATA[<raw>]]></note>")
        out.write("</item>\n")
    out.write("</list>\n")


LUA_SCRIPTS = {1: """
local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end
local t = {} for i = 1, 20000 do t[i] = (i*7919) % 10007 end table.sort(t)
local s = {} for i = 1, 5000 do s[#s+1] = ("x%d"):format(i) end
local c, n = table.concat(s, ","), 0
for w in c:gmatch("%a%d+") do n = n + #w end
local o = setmetatable({}, {__index = function(_, k) return k*2 end}) for i = 1, 20000 do n = n + o[i] end
local cl = {} for i = 1, 2000 do cl[i] = function(x) return x + i end end for i = 1, 2000 do n = n + cl[i](i) end
print(fib(20), n, #c)
""", 2: """
local N = 120 local g = {} for i = 0, N*N do g[i] = true end
for i = 2, N do if g[i] then for j = i*i, N*N, i do g[j] = false end end end
local words = {} for w in (("the quick brown fox jumps over the lazy dog "):rep(300)):gmatch("%w+") do words[w] = (words[w] or 0) + 1 end
local function perm(a, n, f) if n == 0 then f(a) else for i = 1, n do a[i], a[n] = a[n], a[i] perm(a, n-1, f) a[i], a[n] = a[n], a[i] end end end
local cnt = 0 perm({1, 2, 3, 4, 5, 6, 7}, 7, function(a) cnt = cnt + a[1] end)
local q = {} for k, v in pairs(words) do q[#q+1] = k..v end table.sort(q)
local co = coroutine.wrap(function() for i = 1, 5000 do coroutine.yield(i) end end) for i = 1, 5000 do cnt = cnt + co() end
print(cnt, #table.concat(q, " "):upper():rep(10):gsub("%a", "z"))
"""}


def lua_script(random_, out, seed, length=1):
    out.write(LUA_SCRIPTS[seed] if length == 1 else f"for round = 1, {length} do{LUA_SCRIPTS[seed]}end\n")


SQL_SCRIPTS = {1: """
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i+1 from n where i<4000) insert into t select i, 'name'||(i*7919%4001), i*0.5 from n;
create index tb on t(b);
select count(*), sum(c) from t where b like 'name1%';
select b, count(*) from t group by substr(b,1,6) order by 2 desc limit 5;
select t.a, u.a from t join t u on t.b=u.b where t.a<200 order by t.c desc limit 3;
update t set c=c+1 where a%3=0; delete from t where a%7=0;
select avg(c), max(b), min(b) from t;
""", 2: """
create table o(id integer primary key, who text, amount int, day text); create table p(who text primary key, town text);
with recursive n(i) as (select 1 union all select i+1 from n where i<3000)
insert into o select i, 'c'||(i%211), i*31%997, date('2020-01-01', '+'||(i%365)||' days') from n;
insert into p select distinct who, upper(who)||'burg' from o;
create index od on o(day, who);
select town, sum(amount) s from o join p using(who) group by town having s>2000 order by s desc limit 10;
select day, count(*) from o where day between '2020-03-01' and '2020-04-01' group by day;
begin; update o set amount=amount+id where who in (select who from p where town like '%1%'); commit;
select group_concat(substr(day,6)) from o where id%50=0; select count(distinct amount) from o;
"""}


def sql_script(random_, out, seed, length=1):
    out.write(".open :memory:\n".join([SQL_SCRIPTS[seed]] * length))


AWK_SCRIPTS = {1: """
{ for (i = 1; i <= NF; i++) count[$i]++; sum += $NF; if ($0 ~ /river|stone/) hits++ }
END { for (w in count) if (count[w] > 100) n++; printf "%d %d %d\\n", n, sum, hits }
""", 2: """
BEGIN { FS = " " }
$NF % 3 == 0 { line = toupper(substr($2, 1, 3)); gsub(/[aeiou]/, "-", $3); seen[line, length($3)]++ }
/[0-9]+ / { match($0, /[0-9]+/); total += substr($0, RSTART, RLENGTH) }
END { for (k in seen) { split(k, part, SUBSEP); m += part[2] * seen[k] } print m, total; print sprintf("%s", sqrt(total)) }
"""}


def awk_script(random_, out, seed):
    out.write(AWK_SCRIPTS[seed])


def grammar(random_, out):
    """A language of statements and of operators in many levels, each of which is called something else in each grammar."""
    count = 60
    names = [f"{random_.choice(WORDS)}{random_.randrange(10 ** 6)}" for _ in range(count + 1)]
    start, list_, number, word = (f"{random_.choice(WORDS)}{random_.randrange(10 ** 6)}" for _ in range(4))
    out.write(f"%token {number.upper()} {word.upper()}\n" + "".join(f"%left T{name}\n" for name in names[:-1]))
    out.write(f"%%\n{start}: {list_};\n{list_}: %empty | {list_} {names[0]} ';';\n")
    for i in range(count):
        other = random_.randrange(i, count)
        out.write(f"{names[i]}: {names[i + 1]} | {names[i]} T{names[i]} {names[i + 1]} | '(' {names[other]} T{names[other]} ')' {{ $$ = $2; }}")
        out.write(f" | {word.upper()} T{names[i]} '{{' {list_} '}}'" if random_.random() < 0.2 else "")
        out.write(";\n")
    out.write(f"{names[count]}: {number.upper()} | {word.upper()} | '-' {names[count]} | {word.upper()} '[' {names[0]} ']';\n%%\n")


M4_SCRIPTS = {1: """define(`count', `ifelse(eval($1 > 0), 1, `$1 count(decr($1))', `end')')dnl
define(`forloop', `pushdef(`$1', `$2')_forloop($@)popdef(`$1')')define(`_forloop', `$4`'ifelse($1, `$3', `', `define(`$1', incr($1))$0($@)')')dnl
forloop(`i', 1, 400, `i: translit(index(`thalweg', `w') i, `0123456789', `abcdefghij') eval(i * i % 97)
')count(120)
""", 2: """define(`fib', `ifelse($1, 0, 0, $1, 1, 1, `eval(fib(decr($1)) + fib(decr(decr($1))))')')dnl
define(`join', `ifelse(`$#', 1, ``$1'', ``$1'-join(shift($@))')')dnl
define(`rep', `ifelse($1, 0, `', `substr(`abcdefghijklmnopqrstuvwxyz', eval($1 % 20), 5)regexp(`ab$1cd', `[0-9]+', `<\\\\&>') rep(decr($1), `$2')')')dnl
fib(13) join(a, b, c, d, e, f, g, h) rep(500)
patsubst(`the quick brown fox', `[aeiou]', `.')
"""}


def m4_script(random_, out, seed, length=1):
    out.write(M4_SCRIPTS[seed] * length)


BC_SCRIPTS = {1: "scale=60\ns=0\nfor(i=1;i<400;i++) s=s+1/(i*i)\ns\ne(1.5)\nl(7)\ndefine f(n){ if(n<2) return 1; return n*f(n-1); }\nf(120)\n",
              2: "scale=80\n4*a(1)\nx=2\nfor(i=0;i<200;i++){ x=(x+3/x)/2; if(i%2==0) y=y+x; }\nx\ny\n2^900 % 1000007\ns(1)+c(2)\nsqrt(17)\n"}


def bc_script(random_, out, seed, length=1):
    out.write(BC_SCRIPTS[seed] * length + "quit\n")


def document(random_, depth):
    """A value of JSON."""
    kind = random_.random()
    if depth > 3 or kind < 0.3:
        return random_.choice((None, True, False, random_.randint(-10 ** 6, 10 ** 6), round(random_.uniform(-1000, 1000), random_.randint(1, 9)),
                               " ".join(random_.choice(WORDS) for _ in range(random_.randint(1, 6))), 'caf\u00e9 "quoted"\n'))
    if kind < 0.5:
        return [document(random_, depth + 1) for _ in range(random_.randint(0, 6))]
    return {f"{random_.choice(WORDS)}{random_.randint(0, 99)}": document(random_, depth + 1) for _ in range(random_.randint(1, 7))}


def json_lines(random_, out, length=1):
    for _ in range(400 * length):
        record = {"id": random_.randrange(10 ** 9), "name": random_.choice(WORDS),
                  "tags": [random_.choice(WORDS) for _ in range(random_.randint(0, 5))],
                  "price": round(random_.uniform(0, 500), 2), "detail": document(random_, 0)}
        out.write(json.dumps(record, ensure_ascii=random_.random() < 0.5) + "\n")


def orders(random_, out, length=1):
    """Lines: an order, a customer, a note or nothing, how it goes, and what is ordered: what and where it lies, how many, at what price."""
    for _ in range(2500 * length):
        out.write(f"{random_.randrange(10 ** 12)} {random_.choice(WORDS)}.{random_.choice(WORDS)}@{random_.choice(WORDS)}.example")
        note = "-".join(random_.choice(WORDS) for _ in range(random_.randint(2, 8)))
        out.write(f" {note if random_.random() < 0.3 else '-'} {random_.randrange(4)}")
        for _ in range(random_.randint(1, 6)):
            out.write(f" {random_.choice(WORDS)}-{random_.randrange(10 ** 5)} {random_.randrange(-300, 300)} {random_.randint(1, 40)} "
                      f"{random_.uniform(0.1, 900):.2f}")
        out.write("\n")


def music(random_, path):
    """A minute of two voices, which go through the tones of a scale in their own ways, and noise; other ones for each seed."""
    if shutil.which("ffmpeg") is None:
        raise Missing("ffmpeg, which makes the music that mpg123 plays, is not installed (tools/setup)")
    voices = []
    for octave in (110, 440):
        beat, step, base = random_.choice((0.2, 0.25, 0.3, 0.4)), random_.choice((5, 7, 11)), octave * random_.uniform(1, 2)
        voices.append(f"0.4*exp(-{random_.uniform(2, 6):.2f}*mod(t,{beat}))*sin(2*PI*t*{base:.2f}*pow(2,mod(floor(t/{beat})*{step},12)/12))")
    tones = f"aevalsrc={'|'.join(voices)}:s=44100:d=60".replace(",", "\\,")
    noise = f"anoisesrc=color={random_.choice(('pink', 'brown'))}:sample_rate=44100:amplitude=0.1:seed={random_.randrange(10 ** 6)}:d=60"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", tones, "-f", "lavfi", "-i", noise, "-filter_complex",
                    "amix=inputs=2,aformat=channel_layouts=stereo", "-b:a", "128k", "-bitexact", "-f", "mp3", path],
                   check=True, stdin=subprocess.DEVNULL)


def build_ninja(random_, out):
    """Programs of some objects each, libraries, generated headers that objects wait for."""
    flags = f"-O{random_.randrange(4)} -D{random_.choice(WORDS).upper()}={random_.randrange(10 ** 6)}"
    out.write(f"ninja_required_version = 1.3\ncflags = {flags}\nbuilddir = {random_.choice(WORDS)}\n")
    out.write("rule cc\n  command = cc -MMD -MF $out.d $cflags $more -c $in -o $out\n  description = CC $out\n")
    out.write("rule ar\n  command = rm -f $out && ar crs $out $in\nrule link\n  command = cc $in $libs -o $out\n  pool = console\n")
    out.write("rule make\n  command = ./make-$kind --to=$out $in\n  restat = 1\n")
    programs = []
    for number in range(250):
        name = f"{random_.choice(WORDS)}{random_.randrange(10 ** 6)}"
        header = f"$builddir/{name}/{random_.choice(WORDS)}.h"
        out.write(f"build {header}: make {name}/table.txt\n  kind = {random_.choice(WORDS)}\nbuild {name}/table.txt: phony\n")
        objects = []
        for _ in range(random_.randint(4, 16)):
            unit = f"{name}/{random_.choice(WORDS)}{random_.randrange(10 ** 6)}"
            objects.append(f"$builddir/{unit}.o")
            out.write(f"build {unit}.c: phony\nbuild {objects[-1]}: cc {unit}.c | {name}/table.txt || {header}\n")
            out.write(f"  more = -I{name} -D{random_.choice(WORDS)}\n" if random_.random() < 0.5 else "")
        kind, made = random_.choice((("ar", f"$builddir/lib{name}.a"), ("link", f"$builddir/bin/{name}")))
        used = " ".join(random_.sample(programs, min(len(programs), random_.randint(0, 3))))
        out.write(f"build {made}: {kind} " + " $\n    ".join(objects) + f" | {used}\n")
        out.write(f"  libs = -l{random_.choice(WORDS)}\n" if kind == "link" else "")
        programs.append(made)
    out.write(f"build all: phony {' '.join(programs)}\ndefault all\n")


def keywords(random_, out):
    """A language's own words, and what each means."""
    words = {f"{random_.choice(WORDS)}{random_.choice(('', '_', '-'))}{random_.choice(WORDS)}"[:random_.randint(4, 16)] for _ in range(900)}
    out.write(f"%struct-type\n%define slot-name {random_.choice(WORDS)}_\nstruct word {{ const char *{random_.choice(WORDS)}_; int code; }};\n%%\n")
    out.write("".join(f"{word}, {random_.randrange(10 ** 6)}\n" for word in sorted(words)))


def stems(seed):
    """Of a language of its own."""
    random_ = random.Random(f"stems {seed}")
    syllables = [random_.choice("bcdfghklmnprstvwz") + random_.choice("aeiou\u00e4\u00f6") + random_.choice(("", "", "n", "r", "st"))
                 for _ in range(120)]
    return sorted({"".join(random_.choice(syllables) for _ in range(random_.randint(2, 4))) for _ in range(6000)})


def endings(seed):
    """{flag: what may be appended}"""
    random_ = random.Random(f"endings {seed}")
    return {flag: [random_.choice("aeiou") + random_.choice("lmnrst") + random_.choice(("", "e", "en", "ung")) for _ in range(4)] for flag in "ABCDE"}


def affixes(random_, out, seed):
    out.write("SET UTF-8\nTRY esianrtolcdugmphbyfvkwz\nPFX P Y 2\n")
    out.write(f"PFX P 0 {random_.choice(('un', 're'))} .\nPFX P 0 {random_.choice(('vor', 'be'))} .\n")
    for flag, added in endings(seed).items():
        out.write(f"SFX {flag} Y {len(added)}\n" + "".join(f"SFX {flag} 0 {end} [^{random_.choice('xyq')}]\n" for end in added))
    pairs = [(random_.choice("aeiou") + random_.choice("lnr"), random_.choice("aeiou") + random_.choice("mst")) for _ in range(12)]
    out.write(f"REP {len(pairs)}\n" + "".join(f"REP {wrong} {right}\n" for wrong, right in pairs))


def dictionary(random_, out, seed):
    words = stems(seed)
    out.write(f"{len(words)}\n")
    for word in words:
        flags = "".join(sorted(random_.sample("ABCDEP", random_.randint(0, 4))))
        out.write(f"{word}/{flags}\n" if flags else f"{word}\n")


def misspelt(random_, out, seed):
    """Text in the language, some of whose words are wrong, or in no dictionary."""
    words, ends = stems(seed), [end for added in endings(seed).values() for end in added]
    for _ in range(1200):
        line = []
        for _ in range(random_.randint(4, 12)):
            word = random_.choice(words) + (random_.choice(ends) if random_.random() < 0.4 else "")
            at = random_.randrange(len(word))
            kind = random_.random()
            word = word[:at] + random_.choice("aeioulnrst") + word[at + 1:] if kind < 0.05 else word[:at] + word[at + 1:] if kind < 0.08 else word
            line.append(word.capitalize() if random_.random() < 0.15 else word)
        out.write(" ".join(line) + random_.choice((".", "!", " 1984.", "")) + "\n")


def requests(random_, out):
    """What clients ask Redis for, as they send it. No answer depends on how it orders what has no order."""
    def ask(*words):
        words = [str(word).encode() for word in words]
        out.write(f"*{len(words)}\r\n" + "".join(f"${len(word)}\r\n{word.decode()}\r\n" for word in words))

    keys = [f"{random_.choice(WORDS)}:{random_.randrange(10 ** 6)}" for _ in range(800)]
    script = "local n = 0 for i = 1, tonumber(ARGV[1]) do n = n + redis.call('incr', KEYS[1]) end return n"
    for _ in range(25000):
        key = random_.choice(keys)
        word = " ".join(random_.choice(WORDS) for _ in range(random_.randint(1, 12)))
        ask(*random_.choice((
            ("SET", f"s:{key}", word), ("GET", f"s:{key}"), ("GET", f"s:{key}"), ("APPEND", f"s:{key}", word[:5]), ("INCRBY", f"n:{key}", len(word)),
            ("LPUSH", f"l:{key}", word), ("RPUSH", f"l:{key}", word), ("LRANGE", f"l:{key}", 0, 5), ("LPOP", f"l:{key}"),
            ("HSET", f"h:{key}", word[:8], word, "total", len(word)), ("HGET", f"h:{key}", "total"), ("HINCRBY", f"h:{key}", "total", 3),
            ("SADD", f"u:{key}", word, word[:4]), ("SCARD", f"u:{key}"), ("SISMEMBER", f"u:{key}", word),
            ("ZADD", f"z:{key[:2]}", random_.randrange(10 ** 6), word), ("ZRANGE", f"z:{key[:2]}", 0, 9, "WITHSCORES"),
            ("ZRANK", f"z:{key[:2]}", word),
            ("MGET", f"s:{key}", f"n:{key}"), ("EXISTS", f"l:{key}"), ("DEL", f"h:{key}"), ("SETBIT", f"b:{key}", random_.randrange(4096), 1),
            ("BITCOUNT", f"b:{key}"))))
        if random_.random() < 0.01:
            ask("EVAL", script, 1, f"n:{key}", random_.randint(1, 60))
    ask("DBSIZE")


def pages(random_, out):
    """What clients ask a web server for: method, target, and a header more or nothing, separated by tabs."""
    folders = [f"/{random_.choice(WORDS)}{number}" for number in range(30)]
    for _ in range(6000):
        page = f"{random_.choice(folders)}/{random_.choice(WORDS)}.{random_.choice(('html', 'css', 'json'))}"
        out.write("\t".join(random_.choice((
            ("GET", page, ""), ("GET", page, ""), ("GET", page, ""), ("GET", page, f"Cookie: session={random_.randrange(10 ** 9)}; lang=en"),
            ("GET", page, "If-Modified-Since: Sun, 09 Sep 2001 01:46:40 GMT"), ("GET", page, f"Range: bytes={random_.randrange(50)}-"),
            ("GET", f"{page}?q={random_.choice(WORDS)}", "Referer: http://board/"), ("HEAD", page, ""),
            ("GET", f"{page}.missing", ""), ("GET", f"{random_.choice(folders)}/", ""), ("GET", f"/api/x.css?q={random_.choice(WORDS)}", ""),
            ("GET", "/private/key", ""), ("GET", f"/a/../{random_.choice(WORDS)}/%7Emissing", "")))) + "\n")


def orders_count(random_, out, seed):
    """How long the order book's market is open: another market, since it goes on from where the shorter one ends."""
    out.write(f"{300_000 * seed ** 2}\n")


SEEDED = {"orders_count", "lua_script", "sql_script", "awk_script", "m4_script", "bc_script", "affixes", "dictionary", "misspelt"}
BY_NAME = {"text": text, "xml": xml, "lua_script": lua_script, "sql_script": sql_script, "awk_script": awk_script, "grammar": grammar,
           "m4_script": m4_script, "bc_script": bc_script, "json_lines": json_lines, "orders": orders, "build_ninja": build_ninja,
           "keywords": keywords, "affixes": affixes, "dictionary": dictionary, "misspelt": misspelt, "requests": requests,
           "pages": pages, "orders_count": orders_count}
BY_PROGRAM = {"music": music}  # that write the file themselves
# That are made as long as wanted; a script as often as that.
LONG = {"text", "xml", "json_lines", "orders", "lua_script", "sql_script", "m4_script", "bc_script"}


def make(name, folder, seed, length=1):
    """The input's file; `length` times as long as the board's, where it is one of LONG."""
    path = os.path.join(folder, f"{name}-{seed}" + (f"-{length}" if name in LONG and length != 1 else ""))
    if not os.path.exists(path):
        random_ = random.Random(f"{name} {seed}")
        if name in BY_PROGRAM:
            BY_PROGRAM[name](random_, path + ".new")
        else:
            with open(path + ".new", "w", encoding="utf-8", newline="") as out:
                BY_NAME[name](random_, out, *([seed] if name in SEEDED else []), *([length] if name in LONG else []))
        os.rename(path + ".new", path)
    return path
