/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/html_style.h"

/* Cividis (Nunez, Anderton, Renslow, 2018), in which colour-blind readers see
 * the same order; ink is chosen for contrast with each step. */
const char html_style[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--grey:#595959;"
    "--line:#d5d5d5;--accent:#0072b2}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#15181b;"
    "--grey:#b0b0b0;--line:#3a3f44;--accent:#4aa3df}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);"
    "background:var(--paper);max-width:64rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.5rem;overflow-wrap:anywhere}"
    "h2{font-size:1.2rem;margin-top:2.2rem;border-bottom:1px solid "
    "var(--line)}h3{font-size:1rem;overflow-wrap:anywhere}\n"
    "p.lead{font-size:1.1rem}.grey{color:var(--grey)}"
    "code{overflow-wrap:anywhere}\n"
    ".scroll{overflow-x:auto}svg{max-width:100%;height:auto;"
    "min-width:30rem}caption{white-space:normal}\n"
    "svg.bar{min-width:0;width:10rem;max-width:none;height:1rem;"
    "vertical-align:middle}.bar path{stroke:var(--ink);fill:none}"
    ".bar .gain{fill:var(--accent)}.bar .tie{fill:var(--grey);opacity:.5}\n"
    ".what th.t{font-weight:normal;white-space:normal;min-width:9rem}"
    "thead th{font-weight:bold!important}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "caption{text-align:left;color:var(--grey);padding:.3rem 0}\n"
    "th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid "
    "var(--line);white-space:nowrap}th.t,td.t{text-align:left}\n"
    "th button{font:inherit;color:inherit;background:none;border:0;padding:0;"
    "cursor:pointer;text-decoration:underline dotted}\n"
    ":focus-visible{outline:3px solid var(--accent);outline-offset:2px}\n"
    "td.best{outline:3px solid var(--ink);outline-offset:-3px;"
    "font-weight:bold}td small{opacity:.9}\n"
    "td.h0{background:#00204d;color:#fff}td.h1{background:#233e6c;color:#fff}"
    "td.h2{background:#575d6d;color:#fff}td.h3{background:#6b6d71;color:#fff}"
    "td.h4{background:#a69c75;color:#000}td.h5{background:#d3c164;color:#000}"
    "td.h6{background:#ffe945;color:#000}\n"
    "@page{size:A4;margin:15mm}\n"
    "@media print{body{max-width:none;font-size:10pt}.data,button.x{"
    "display:none}h2{break-after:avoid}section{break-inside:avoid}"
    "td{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

/* A heading's button sorts by its column, numbers as numbers; once more turns
 * the order. */
const char html_script[] =
    "'use strict';\n"
    "document.querySelectorAll('table.data th button').forEach((b,i)=>{\n"
    "  b.addEventListener('click',()=>{\n"
    "    const t=b.closest('table'),h=b.parentElement,body=t.tBodies[0];\n"
    "    const down=h.getAttribute('aria-sort')==='ascending';\n"
    "    const at=h.cellIndex,key=r=>r.cells[at].textContent;\n"
    "    const rows=[...body.rows].sort((x,y)=>{\n"
    "      const a=key(x),c=key(y),n=a-c;\n"
    "      return (Number.isNaN(n)?a.localeCompare(c):n)*(down?-1:1);});\n"
    "    t.querySelectorAll('th').forEach(o=>o.removeAttribute('aria-sort'));\n"
    "    h.setAttribute('aria-sort',down?'descending':'ascending');\n"
    "    body.append(...rows);});});\n";
