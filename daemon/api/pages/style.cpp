#include "daemon/api/pages/style.hpp"

#include "daemon/dashboard/assets.hpp"

#include <string>

namespace tofud::pages {
namespace {

// On the wall letters grow with the screen, so that a card is read from five metres.
constexpr std::string_view rules =
    R"css(:root { font: 16px/1.45 system-ui, sans-serif; color: var(--text); background: var(--bg); }
* { box-sizing: border-box; }
body { margin: 0; padding: .5rem 1rem 2rem; }
nav { font-size: .9rem; }
nav a { margin-right: 1rem; }
a { color: var(--accent); }
h1 { font-size: 1.15rem; margin: .3rem 0; }
nav .home { margin-right: 1rem; }
h2, p { margin: .2rem 0; overflow-wrap: anywhere; }
.faint { color: var(--text-3); }
form { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; margin: .3rem 0; }
label { display: grid; font-size: .85rem; }
form[role=search] label { display: flex; flex: 0 1 36rem; gap: .6rem; align-items: center; }
input, button, .button { font: inherit; font-size: 1rem; color: inherit; background: var(--raised);
  border: 1px solid var(--line); border-radius: 4px; padding: .25rem .5rem; max-width: 100%; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.button { display: inline-block; text-decoration: none; }
.line { display: flex; flex-wrap: wrap; gap: 0 1.2rem; align-items: center; }
.line form { flex: 1; }
.line details[open] { flex-basis: 100%; }
form .all { padding: .25rem 0; }
.alone { display: grid; place-items: center; min-height: 100vh; }
.alone main { width: min(26rem, 100%); padding: 1.2rem 1.6rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.alone form, .alone label { display: grid; gap: .4rem; }
.state { font-weight: 600; white-space: nowrap; }
.failed, .lost { color: var(--fail); }
.running { color: var(--run); }
.succeeded { color: var(--ok); }
.interrupted, .attention { color: var(--warn); }

table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: .85rem; color: var(--text-3); }
td { overflow-wrap: anywhere; }
td.whole { white-space: nowrap; }
code { font-family: ui-monospace, monospace; font-size: .95em; }
summary { cursor: pointer; min-height: 24px; font-size: .85rem; }
input[name=q] { flex: 1; min-width: 0; }
.runs th { white-space: nowrap; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 .2rem; border-bottom: 1px solid var(--line); }
.tabs a { margin: 0; padding: .35rem .7rem; min-height: 24px; color: var(--text-2); text-decoration: none; border-bottom: 2px solid transparent; }
.tabs a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }
.runs { font-size: .875rem; }
.runs tr { position: relative; }
.runs tbody tr:hover { background: var(--raised); }
.runs td { height: 36px; padding: 0 1.2rem 0 0; vertical-align: middle; }
.runs .stack { width: 100%; }
.runs .stack a { color: inherit; text-decoration: none; }
/* The link covers its row. */
.runs .stack a::after { content: ''; position: absolute; inset: 0; }
.tabs b { font-weight: 500; color: var(--text-3); }
#later { position: sticky; bottom: .5rem; text-align: center; }
.strip { display: block; max-width: 100%; margin: .4rem 0; }
.strip rect { fill: var(--fill-idle); }
.strip .succeeded { fill: var(--fill-ok); }
.strip .failed, .strip .lost { fill: var(--fill-fail); }
.strip .interrupted { fill: var(--fill-warn); }
.strip .running { fill: var(--fill-run); }
h2 { font-size: 1rem; margin-top: 1rem; }
.usual { max-width: 60rem; font-size: .875rem; }
.runs .who { color: var(--text-2); max-width: 18rem; }
@media (max-width: 45rem) {
  form label { flex: 1 1 9rem; min-width: 0; }
  form input { width: 100%; }
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  td.whole { white-space: normal; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: 0; }
  .runs tr { display: flex; flex-wrap: wrap; gap: 0 .8rem; padding: .45rem 0; }
  .runs td { height: auto; padding: 0; }
  .runs .stack { flex: 1 1 60%; width: auto; order: -1; }
  .runs .who, .runs .date { display: none; }
  td:empty { display: none; }
}

.cards { list-style: none; margin: .6rem 0; padding: 0; display: grid; gap: .8rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 22em), 1fr));
  font-size: clamp(1rem, .6rem + .9vw, 2.2rem); }
.card { border: 2px solid var(--line); border-left-width: .6em; border-radius: 6px; padding: .5em .8em;
  background: var(--raised); }
.card h2 { font-size: 1.1em; }
.card .state { font-size: 1.5em; }
.card p { font-size: .85em; }
.card p.big { font-size: 1em; }
.card.is-running { border-color: var(--run); }
.card.is-failed { border-color: var(--fail); border-width: 4px; border-left-width: .6em; }
.card.is-waiting { border-color: var(--warn); border-style: dashed; border-left-style: solid; }
)css";

}  // namespace

std::string_view style() {
  static const std::string all =
      std::string{dashboard::style("tokens").bytes}.append("\n").append(rules);
  return all;
}

}  // namespace tofud::pages
