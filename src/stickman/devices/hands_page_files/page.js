// The page on which devices are operated by hand: it shows those of one place, and does what a finger does to them.

const POLL_MS = 400
const RETRY_MS = 2000
const SAID_MS = 5000
const SVG = "http://www.w3.org/2000/svg"

const asked = new URLSearchParams(location.search)
const place = { table: Number(asked.get("table") ?? 1), seat: Number(asked.get("seat") ?? 1) }
const texts = await (await fetch("words.json")).json()
const lang = Object.hasOwn(texts, asked.get("lang") ?? "") ? asked.get("lang") : "en"
const words = texts[lang]
const $ = (selector) => document.querySelector(selector)

let state = {}
let seen = ""
let drawnTray = ""

// --- Words ---

function word(key, about = "") {
  return (words[key] ?? texts.en[key] ?? key.replace(/^\w+\./, "").replaceAll("_", " ")).replace("{about}", about)
}

/** What came of a deed, in the page's language; the server says it in English. */
function told({ what, about, text }) {
  const known = words[`happened.${what}`]
  if (!known) return text
  const kind = ["status", "door", "part"].find((name) => Object.hasOwn(words, `${name}.${about}`))
  return known.replace("{about}", kind ? word(`${kind}.${about}`) : about)
}

const dollars = (cents) => `$${cents / 100}`

// --- Elements ---

function make(tag, { on, ...attributes } = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  if (on) element.addEventListener("click", on)
  element.append(...children)
  return element
}

const button = (text, on, attributes = {}) => make("button", { type: "button", on, ...attributes }, text)

function drawBill(cents, tag = "span", attributes = {}) {
  const value = String(cents / 100)
  return make(
    tag,
    { class: `bill d${value}`, ...attributes },
    make("b", {}, `$${value}`),
    make("i", {}, value),
    make("i", {}, value),
    make("small", {}, word("play_money")),
  )
}

/** Interleaved 2 of 5: digits in pairs, the first as bars and the second as the spaces between them. */
const WIDE = ["00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010"]

function drawBars(digits) {
  let modules = "0000"
  for (let at = 0; at + 1 < digits.length; at += 2) {
    const [bars, spaces] = [WIDE[digits[at]], WIDE[digits[at + 1]]]
    for (let bit = 0; bit < 5; bit++) modules += bars[bit] + spaces[bit]
  }
  modules += "100"
  let x = 0
  let path = ""
  for (const [at, wide] of [...modules].entries()) {
    const width = wide === "1" ? 2.5 : 1
    if (at % 2 === 0) path += `M${x} 0h${width}v1h-${width}z`
    x += width
  }
  const svg = document.createElementNS(SVG, "svg")
  svg.setAttribute("viewBox", `0 0 ${x} 1`)
  svg.setAttribute("preserveAspectRatio", "none")
  const drawn = document.createElementNS(SVG, "path")
  drawn.setAttribute("d", path)
  svg.append(drawn)
  return svg
}

function drawDots({ dots, width }) {
  const octets = Uint8Array.from(atob(dots), (letter) => letter.charCodeAt(0))
  const canvas = make("canvas", { width, height: Math.ceil((octets.length * 8) / width) })
  const context = canvas.getContext("2d")
  octets.forEach((octet, at) => {
    for (let bit = 0; bit < 8; bit++) {
      const dot = at * 8 + bit
      if (octet & (0x80 >> bit)) context.fillRect(dot % width, Math.floor(dot / width), 1, 1)
    }
  })
  return canvas
}

function drawMark(mark) {
  if (mark.bars) return [drawBars(mark.bars), make("p", { class: "digits" }, mark.bars)]
  if (mark.dots) return [drawDots(mark)]
  const look = [mark.align, mark.strong ? "strong" : "", mark.wide > 1 ? "large" : ""].join(" ").trim()
  return [make("pre", { class: look }, mark.text || " ")]
}

function drawSlip(slip, at) {
  const acts = make("div", { class: "acts" })
  const position = String(at + 1)
  if (slip.number) acts.append(button(word("insert_slip"), () => act("acceptor", "slip", position)))
  acts.append(button(word("throw_away"), () => act("printer", "throw away", position)))
  return make(
    "article",
    { class: "slip" },
    make("div", { class: "paper" }, ...slip.marks.flatMap(drawMark)),
    acts,
  )
}

// --- What is shown ---

const BUSY = ["accepting", "escrow", "stacking", "vend_valid", "stacked", "rejecting", "returning", "holding"]
const STARTING = ["initialize", "power_up", "power_up_bill_in_acceptor", "power_up_bill_in_stacker", "inhibited", "off"]

function light(status) {
  if (status === "idle") return "ready"
  if (BUSY.includes(status)) return "busy"
  return STARTING.includes(status) ? "off" : "wrong"
}

function showAcceptor(acceptor) {
  const { status, path } = acceptor
  $(".machine").dataset.light = light(status)
  $(".shows").textContent = word(`status.${status}`)
  const paper = $(".path")
  const drawn = path ? JSON.stringify(path) : ""
  if (paper.dataset.drawn !== drawn) {
    paper.dataset.drawn = drawn
    paper.replaceChildren(...(path ? [drawPath(path)] : []))
  }
  paper.className = `path ${path ? status : ""}`
  $(".pull").hidden = !path
  for (const bill of document.querySelectorAll(".bills .bill")) {
    bill.classList.toggle("refused", status === "inhibited" || !acceptor.bills[bill.dataset.cents])
  }
}

function drawPath(path) {
  if (path.cents) return drawBill(path.cents)
  const paper = make("div", { class: "paper" }, ...(path.number ? [drawBars(path.number)] : ["~ ~ ~"]))
  return make("div", { class: "slip" }, paper)
}

function showTray(printer) {
  const drawn = JSON.stringify(printer.tray)
  if (drawn !== drawnTray) {
    drawnTray = drawn
    const slips = printer.tray.map(drawSlip)
    $(".tray").replaceChildren(...(slips.length ? slips : [make("p", { class: "empty" }, word("tray_empty"))]))
  }
}

function showSwitches(doors) {
  const names = Object.keys(doors.doors)
  const box = $(".switches")
  if (box.children.length !== names.length + 1) {
    box.replaceChildren(
      ...names.map((name) => makeSwitch(name, word(`door.${name}`), () => moveDoor(name))),
      makeSwitch("key", word("key"), () => act("doors", state.doors.key === "on" ? "key off" : "key on")),
    )
  }
  for (const each of box.children) {
    const is = each.dataset.name === "key" ? doors.key : doors.doors[each.dataset.name]
    each.setAttribute("aria-checked", String(is === "open" || is === "on"))
    each.querySelector(".is").textContent = word(`is.${is}`)
  }
}

function makeSwitch(name, text, on) {
  const parts = [
    make("span", { class: "name" }, text),
    make("span", { class: "is" }),
    make("span", { class: "knob" }),
  ]
  const kind = name === "key" ? "switch key" : "switch"
  return make("button", { type: "button", role: "switch", class: kind, "data-name": name, on }, ...parts)
}

const moveDoor = (name) => act("doors", state.doors.doors[name] === "open" ? "close" : "open", name)

// A fault is a button that stays pressed while the fault lasts; without `is` it is a deed that is done once.
const PLUGS = [
  { text: "power_cut", is: (device) => !device.powered, on: "cut power", off: "power on" },
  { text: "unplugged", is: (device) => !device.plugged, on: "unplug", off: "plug in" },
]
const has = (...faults) => (device) => device.faults.some((fault) => faults.includes(fault))
const FAULTS = {
  acceptor: [
    { text: "torn_bill", on: "torn bill" },
    { text: "bill_2", on: "bill", value: "2.00" },
    { text: "jam", is: has("jam_in_acceptor", "jam_in_stacker"), on: "jam", off: "clear jam" },
    { text: "stacker_full", is: has("stacker_full"), on: "stacker full", off: "stacker out" },
    { text: "stacker_out", is: has("stacker_open"), on: "stacker out", off: "stacker in" },
    { text: "failure", is: has("failure", "cheated"), on: "fail", off: "repair" },
    ...PLUGS,
  ],
  printer: [
    { text: "paper_low", is: (device) => device.paper === "low", on: "paper low", off: "load paper" },
    { text: "paper_out", is: (device) => device.paper === "out", on: "paper out", off: "load paper" },
    { text: "paper_ends", is: (device) => device.rows_left > 0, on: "end paper", value: "5", off: "load paper" },
    { text: "cover_open", is: (device) => device.cover_open, on: "open cover", off: "close cover" },
    { text: "cutter_jam", is: (device) => device.jammed, on: "jam", off: "free" },
    { text: "offline", is: (device) => device.offline, on: "offline", off: "online" },
    { text: "tear", on: "tear" },
    { text: "power_fails", on: "fail power", value: "5" },
    ...PLUGS,
  ],
  doors: PLUGS,
}

function makeFaults() {
  for (const device of Object.keys(FAULTS).filter((name) => state[name])) {
    const chips = make("div", { class: "chips", "data-device": device })
    for (const fault of FAULTS[device]) {
      const press = () => {
        const pressed = fault.is?.(state[device])
        act(device, pressed ? fault.off : fault.on, pressed ? "" : (fault.value ?? ""))
      }
      chips.append(button(word(`fault.${fault.text}`), press))
    }
    $(".faults").append(make("h3", {}, word(device)), chips)
  }
}

function showFaults() {
  for (const chips of document.querySelectorAll(".chips")) {
    const device = chips.dataset.device
    for (const [at, fault] of FAULTS[device].entries()) {
      if (fault.is) chips.children[at].setAttribute("aria-pressed", String(fault.is(state[device])))
    }
  }
}

function show() {
  const devices = ["acceptor", "printer", "doors"].filter((name) => state[name])
  for (const name of devices) $(`#${name}`).hidden = false
  if (!$(".faults").children.length) makeFaults()
  if (state.acceptor) showAcceptor(state.acceptor)
  if (state.printer) showTray(state.printer)
  if (state.doors) showSwitches(state.doors)
  showFaults()
  const connected = devices.every((name) => state[name].connected)
  $("#wire").textContent = word(connected ? "connected" : "not_connected")
  $("#wire").classList.toggle("connected", connected)
}

// --- Talking to the bench ---

let saidTimer = 0

function say(text, done) {
  const said = $("#said")
  said.textContent = text
  said.className = done ? "shown" : "shown not_done"
  clearTimeout(saidTimer)
  saidTimer = setTimeout(() => said.classList.remove("shown"), SAID_MS)
}

async function act(device, deed, value = "") {
  try {
    const body = JSON.stringify({ ...place, device, deed, value })
    const answer = await fetch("do", { method: "POST", headers: { "content-type": "application/json" }, body })
    const happened = await answer.json()
    say(answer.ok ? told(happened) : happened.error, answer.ok && happened.done)
    await look()
  } catch {
    say(word("no_answer"), false)
  }
}

async function look() {
  const answer = await fetch(`state?${new URLSearchParams({ ...place, seen })}`)
  if (answer.status === 200) {
    seen = answer.headers.get("x-state")
    state = await answer.json()
    show()
  } else if (answer.status !== 204) {
    throw new Error((await answer.json()).error)
  }
}

async function watch() {
  let after = POLL_MS
  try {
    if (!document.hidden) await look()
  } catch {
    after = RETRY_MS
    seen = ""
    $("#wire").textContent = word("no_answer")
    $("#wire").classList.remove("connected")
  }
  setTimeout(watch, after)
}

// --- Start ---

document.documentElement.lang = lang
document.title = word("title")
$("#title").textContent = place.seat ? word("at_seat", place.seat) : word("at_table", place.table)
$(".pull").textContent = word("pull")
$(".bills").setAttribute("aria-label", word("bills"))
for (const value of [1, 5, 10, 20, 50, 100]) {
  const attributes = { type: "button", "data-cents": value * 100, "aria-label": word("insert_bill", dollars(value * 100)) }
  attributes.on = () => act("acceptor", "bill", `${value}.00`)
  $(".bills").append(drawBill(value * 100, "button", attributes))
}
$("#printer h2").textContent = word("tray")
$("#doors h2").textContent = word("doors_and_key")
$(".number label").textContent = word("ticket_number")
$(".number button").textContent = word("insert")
$(".number").addEventListener("submit", (event) => {
  event.preventDefault()
  act("acceptor", "ticket", $("#number").value.replace(/[\s-]/g, ""))
})
$("#more summary").textContent = word("more")
watch()
