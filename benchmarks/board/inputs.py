# benchmarks: what the board's programs work on, made from a seed: two seeds give two inputs of the same kind that share no line.
import os
import random

WORDS = ("the quick brown fox jumps over lazy dogs while running waters carve valleys of stone river course deepest line along which "
         "a stream actually flows between banks and meadows event handler layer crossing kernel buffer table value pointer record "
         "reading writing walking making changing seldom often never always under above beside").split()


def text(random_, out):
    for number in range(6000):
        words = [random_.choice(WORDS) for _ in range(random_.randint(4, 14))]
        if random_.random() < 0.3:
            words[random_.randrange(len(words))] += str(random_.randint(1, 9999))
        if random_.random() < 0.2:
            words = [word.capitalize() for word in words]
        out.write(" ".join(words) + f" {number * 7919 % 1000}\n")


def xml(random_, out):
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE list [<!ENTITY river "Isar">]>\n<list xmlns:n="urn:n">\n')
    for number in range(3000):
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


def lua_script(random_, out, seed):
    out.write(LUA_SCRIPTS[seed])


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


def sql_script(random_, out, seed):
    out.write(SQL_SCRIPTS[seed])


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
    count = 60
    out.write("%token NUM NAME\n" + "".join(f"%left T{i}\n" for i in range(count)) + "%%\nstart: list;\nlist: %empty | list e0 ';';\n")
    for i in range(count):
        other = random_.randrange(i, count)
        out.write(f"e{i}: e{i + 1} | e{i} T{i} e{i + 1} | '(' e{other} T{other} ')' {{ $$ = $2; }};\n")
    out.write(f"e{count}: NUM | NAME | '-' e{count} | NAME '[' e0 ']';\n%%\n")


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


def m4_script(random_, out, seed):
    out.write(M4_SCRIPTS[seed])


BC_SCRIPTS = {1: "scale=60\ns=0\nfor(i=1;i<400;i++) s=s+1/(i*i)\ns\ne(1.5)\nl(7)\ndefine f(n){ if(n<2) return 1; return n*f(n-1); }\nf(120)\nquit\n",
              2: "scale=80\n4*a(1)\nx=2\nfor(i=0;i<200;i++){ x=(x+3/x)/2; if(i%2==0) y=y+x; }\nx\ny\n2^900 % 1000007\ns(1)+c(2)\nsqrt(17)\nquit\n"}


def bc_script(random_, out, seed):
    out.write(BC_SCRIPTS[seed])


SEEDED = {"lua_script", "sql_script", "awk_script", "m4_script", "bc_script"}
BY_NAME = {"text": text, "xml": xml, "lua_script": lua_script, "sql_script": sql_script, "awk_script": awk_script, "grammar": grammar,
           "m4_script": m4_script, "bc_script": bc_script}


def make(name, folder, seed):
    """The input's file."""
    path = os.path.join(folder, f"{name}-{seed}")
    if not os.path.exists(path):
        with open(path + ".new", "w", encoding="utf-8") as out:
            generate = BY_NAME[name]
            generate(random.Random(f"{name} {seed}"), out, *([seed] if name in SEEDED else []))
        os.rename(path + ".new", path)
    return path
