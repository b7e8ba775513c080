#include "daemon/api/pages/style.hpp"

namespace tofud::pages {

// Hues are those of the run page: Okabe and Ito's, which colour-blind people tell apart. On the
// wall letters grow with the screen, so that a card is read from five metres.
std::string_view style() {
  return R"css(:root {
  color-scheme: light dark;
  --back: #fff; --raised: #f4f5f7; --line: #d5d8dd; --text: #1b1f24; --faint: #59616b; --link: #0550ae;
  --red: #b33c00; --blue: #005a91; --green: #00694d; --orange: #8a5a00;
  font: 16px/1.45 system-ui, sans-serif; color: var(--text); background: var(--back);
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --raised: #1e2329; --line: #363d46; --text: #e4e7eb; --faint: #a0a9b4; --link: #8ab8ff;
    --red: #ff9a5c; --blue: #6cbcf0; --green: #4fd6ac; --orange: #f2b53d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; padding: .5rem 1rem 2rem; }
nav { font-size: .9rem; }
nav a { margin-right: 1rem; }
a { color: var(--link); }
h1 { font-size: 1.4rem; margin: .4rem 0; }
h2, p { margin: .2rem 0; overflow-wrap: anywhere; }
.faint { color: var(--faint); }
form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .6rem 0; }
label { display: grid; font-size: .85rem; }
input, select, button { font: inherit; font-size: 1rem; color: inherit; background: var(--raised);
  border: 1px solid var(--line); border-radius: 4px; padding: .25rem .5rem; max-width: 100%; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
form .all { padding: .25rem 0; }
.state { font-weight: 600; white-space: nowrap; }
.state a { color: inherit; }
.failed, .lost { color: var(--red); }
.running { color: var(--blue); }
.succeeded { color: var(--green); }
.interrupted, .attention { color: var(--orange); }

table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: .85rem; color: var(--faint); }
td { overflow-wrap: anywhere; }
td.whole { white-space: nowrap; }
.labels { font-size: .85rem; color: var(--faint); }
@media (max-width: 45rem) {
  form label { flex: 1 1 9rem; min-width: 0; }
  form input, form select { width: 100%; }
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  td.whole { white-space: normal; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: 0; }
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
.card.is-running { border-color: var(--blue); }
.card.is-failed { border-color: var(--red); border-width: 4px; border-left-width: .6em; }
.card.is-waiting { border-color: var(--orange); border-style: dashed; border-left-style: solid; }
)css";
}

}  // namespace tofud::pages
