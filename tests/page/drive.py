#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives Chromium over its debugging pipe: the keyboard walks pages and sorts and
searches their data, texts have contrast on light and dark, and none is wider than
its screen.

usage: drive.py BROWSER FOLDER PAGE..., pages without .html
A line for each thing that is wrong; exit status 1 when there is one.
"""
import json
import os
import subprocess
import sys
import tempfile

# What the keyboard should reach: all of it that is shown.
TARGETS = """[...document.querySelectorAll('a,button,input,[tabindex="0"]')]
  .filter(e => e.getClientRects().length > 0).length"""

# The element in focus: its place among the targets, whether the focus is seen.
FOCUS = """(() => {
  const e = document.activeElement;
  if (e === document.body) return null;
  const all = [...document.querySelectorAll('a,button,input,[tabindex="0"]')];
  const r = e.getBoundingClientRect(), s = getComputedStyle(e);
  return {at: all.indexOf(e), name: e.textContent.trim().slice(0, 30) ||
            e.getAttribute('aria-label') || e.tagName,
          seen: s.outlineStyle !== 'none' && r.width > 0 && r.right > 0 &&
                r.bottom > 0 && r.top < innerHeight};
})()"""

# WCAG 2.1, success criterion 1.4.3: of each text, the ratio of its luminance
# to that behind it, where that is below 4.5 (3 for large text).
CONTRAST = """(() => {
  const parse = c => {
    const n = c.match(/[\\d.]+/g).map(Number);
    return {rgb: n.slice(0, 3), a: n.length > 3 ? n[3] : 1};};
  const over = (top, under) => under.map((u, i) =>
    top.a * top.rgb[i] + (1 - top.a) * u);
  const light = rgb => {
    const l = rgb.map(v => v / 255).map(v =>
      v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];};
  const paper = e => e === null ? [255, 255, 255] :
    over(parse(getComputedStyle(e).backgroundColor), paper(e.parentElement));
  const wrong = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n; (n = walk.nextNode());) {
    const e = n.parentElement, s = getComputedStyle(e);
    if (n.textContent.trim() === '' || e.getClientRects().length === 0 ||
        e.closest('title,desc,script,.sr') !== null) continue;
    const drawn = e.closest('svg') !== null;
    const behind = drawn ? paper(e.closest('svg').parentElement) : paper(e);
    const a = light(over(parse(drawn ? s.fill : s.color), behind));
    const b = light(behind), size = parseFloat(s.fontSize);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = size >= 24 || (size >= 18.66 && s.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5))
      wrong.add(ratio.toFixed(2) + ' ' + n.textContent.trim().slice(0, 30));
  }
  return [...wrong];
})()"""

FILTER = """(() => {
  const s = document.querySelector('#data');
  return {rows: s.querySelectorAll('tbody tr').length,
          told: s.querySelector('output').textContent,
          sorted: [...s.querySelectorAll('[aria-sort]')].map(
            h => h.textContent + ' ' + h.getAttribute('aria-sort')),
          first: s.querySelector('tbody tr')?.textContent};
})()"""


class Browser:
    """One page of a browser without a window."""

    def __init__(self, program, profile):
        to_browser, our_out = os.pipe()
        our_in, from_browser = os.pipe()

        def wire():
            # Above 3 and 4 first, which these may be.
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 13)
            os.dup2(b, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu",
             "--remote-debugging-pipe",
             "--window-size=1280,900", "--user-data-dir=" + profile],
            preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.out = os.fdopen(our_out, "wb", buffering=0)
        self.input = os.fdopen(our_in, "rb")
        self.number = 0
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank",
                           newWindow=True)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        self.call("Page.enable")

    def read(self):
        """The next message, b'' at the end."""
        text = bytearray()
        while (c := self.input.read(1)) not in (b"\0", b""):
            text += c
        if not text:
            sys.exit("the browser ended")
        return json.loads(text)

    def call(self, method, **params):
        """The result of a method of the debugging protocol."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session is not None:
            message["sessionId"] = self.session
        self.out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer.get("method"))

    def open(self, url):
        """Load a page and wait until it has run its script."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self.events.append(self.read().get("method"))

    def ask(self, expression):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def press(self, key, code, text=None):
        """One key down and up."""
        extra = {"text": text} if text is not None else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code, **extra)
            extra = {}

    def close(self):
        """End it."""
        self.session = None
        self.call("Browser.close")
        self.process.wait()


def walk(browser, wrong):
    """Tab through the page: everything in order, and the focus is seen."""
    targets, at, last = browser.ask(TARGETS), 0, -1
    reached = []
    while at <= targets:
        browser.press("Tab", 9)
        focus = browser.ask(FOCUS)
        at += 1
        if focus is None:
            break
        if not focus["seen"]:
            wrong.append(f"the focus is not seen on {focus['name']!r}")
        if focus["at"] <= last:
            break
        last = focus["at"]
        reached.append(focus["name"])
    if len(reached) < targets:
        wrong.append(f"the keyboard reaches {len(reached)} of {targets} targets")


def use_table(browser, wrong):
    """Sort by the keyboard and search: the rows are those that are told."""
    before = browser.ask(FILTER)
    browser.ask("document.querySelector('#data th:last-child button').focus()")
    for way in ("ascending", "descending"):
        browser.press("Enter", 13, "\r")
        seen = browser.ask(FILTER)
        if [s.split()[-1] for s in seen["sorted"]] != [way]:
            wrong.append(f"Enter on a heading: {seen['sorted']}, not {way}")
    browser.ask("document.querySelector('#data input').focus()")
    for c in "zzz":
        browser.press(c, ord(c.upper()), c)
    if browser.ask(FILTER)["rows"] != 0:
        wrong.append("a search that nothing matches leaves rows")
    for _ in "zzz":
        browser.press("Backspace", 8)
    after = browser.ask(FILTER)
    if (after["rows"], after["told"]) != (before["rows"], before["told"]):
        wrong.append(f"after a search {after['rows']} rows, {after['told']!r}, "
                     f"before {before['rows']}, {before['told']!r}")


def check(browser, url):
    """What is wrong with a page."""
    wrong = []
    browser.open(url)
    walk(browser, wrong)
    use_table(browser, wrong)
    for scheme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        wrong += [f"contrast on {scheme}: {w}" for w in browser.ask(CONTRAST)]
    for width in (1280, 400):
        browser.call("Emulation.setDeviceMetricsOverride", width=width,
                     height=900, deviceScaleFactor=1, mobile=False)
        wide = browser.ask("document.documentElement.scrollWidth")
        if wide > width:
            wrong.append(f"{wide} pixels wide on a screen of {width}")
    browser.call("Emulation.clearDeviceMetricsOverride")
    return wrong


def main():
    program, folder, pages = sys.argv[1], sys.argv[2], sys.argv[3:]
    failed = False
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        for page in pages:
            for w in check(browser, f"file://{folder}/{page}.html"):
                print(f"{page}: {w}")
                failed = True
        browser.close()
    return failed


if __name__ == "__main__":
    sys.exit(main())
