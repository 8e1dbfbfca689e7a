"use strict";
// A control says its key in data-key: a link or button is pressed, a field is entered. On the list,
// j and k go from row to row; beyond the last row is the next page.

const FIELDS = "input, select, textarea";

function use(control) {
  if (control.matches(FIELDS)) {
    control.focus();
    if (control.select) control.select();
  } else if (control.matches("summary")) {
    control.focus();
    control.click();
    const field = control.parentElement.open && control.parentElement.querySelector("select");
    if (field) field.focus();
  } else {
    control.click();
  }
}

function step(by) {
  const rows = [...document.querySelectorAll("[data-row]")];
  if (!rows.length) return false;
  const at = rows.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by;
  const turned = document.querySelector(`[data-key="${by > 0 ? "]" : "["}"]`);
  if (rows[next]) rows[next].focus();
  else if (turned) turned.focus();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.matches(FIELDS)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const control = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  const stepped = { j: 1, k: -1 }[event.key];
  if (control) use(control);
  else if (!stepped || !step(stepped)) return;
  event.preventDefault();
});

if (location.hash === "#q") {
  const search = document.getElementById("q");
  if (search) search.focus();
}
