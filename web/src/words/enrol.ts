/** What a screen says that has no place yet: loaded with the field for its code. */

import type { Language } from "./words.svelte.ts";

const en = {
  title: "This screen is not enrolled",
  is: {
    seat: "This page is a player's seat: bets, dice and money are here.",
    dealer: "This page is the dealer's terminal: rounds, dice and the seats of one table.",
    table: "This page is the table display: felt, dice and results for everyone at the table.",
    info: "This page is the information display: limits, past rolls and statistics of one table.",
    office: "This page is the office: tables, tickets, staff and reports of the floor.",
  },
  lead: "An attendant gives you a code. It is good once, for ten minutes.",
  code: "Code",
  format: "Eight letters and digits, such as 7X01‑NQR1.",
  enrol: "Enrol",
  wrong: "This code is not valid: it may be used up or too old. Ask for a new one.",
  often: "Too many tries. Wait a moment.",
  no_place: "This address names no seat or screen of this floor. The front door has them all.",
  door: "To the front door",
  demonstration: "Demonstration",
  demo: "No code is needed here.",
  sit: "Sit down here",
  opening: "Opening this screen…",
  taken: "Another visitor has this seat. The front door shows the free ones.",
};

const es: typeof en = {
  title: "Esta pantalla no está registrada",
  is: {
    seat: "Esta página es el puesto de un jugador: aquí están las apuestas, los dados y el dinero.",
    dealer: "Esta página es el terminal del crupier: rondas, dados y puestos de una mesa.",
    table: "Esta página es la pantalla de la mesa: tapete, dados y resultados para todos.",
    info: "Esta página es la pantalla de información: límites, tiradas y estadísticas de una mesa.",
    office: "Esta página es la oficina: mesas, tiques, personal e informes de la sala.",
  },
  lead: "Un empleado le da un código. Vale una vez, durante diez minutos.",
  code: "Código",
  format: "Ocho letras y cifras, como 7X01‑NQR1.",
  enrol: "Registrar",
  wrong: "Este código no es válido: puede estar usado o ser demasiado antiguo. Pida uno nuevo.",
  often: "Demasiados intentos. Espere un momento.",
  no_place: "Esta dirección no es de ningún puesto ni pantalla de la sala. En la entrada están todos.",
  door: "A la entrada",
  demonstration: "Demostración",
  demo: "Aquí no hace falta código.",
  sit: "Sentarse aquí",
  opening: "Abriendo esta pantalla…",
  taken: "Otro visitante ocupa este puesto. La entrada muestra los libres.",
};

const zh: typeof en = {
  title: "此屏幕尚未注册",
  is: {
    seat: "此页面是玩家座位：下注、骰子和钱都在这里。",
    dealer: "此页面是荷官终端：一张赌桌的局、骰子和座位。",
    table: "此页面是赌桌显示屏：为桌边所有人显示台面、骰子和结果。",
    info: "此页面是信息显示屏：一张赌桌的限额、过往掷骰和统计。",
    office: "此页面是办公室：赌桌、票券、员工和报表。",
  },
  lead: "服务员会给您一个代码。代码十分钟内有效，只能用一次。",
  code: "代码",
  format: "八个字母和数字，例如 7X01‑NQR1。",
  enrol: "注册",
  wrong: "此代码无效：可能已被使用或已过期。请索取新的代码。",
  often: "尝试次数过多。请稍候。",
  no_place: "此地址不是本场地的座位或屏幕。入口处列出了全部。",
  door: "前往入口",
  demonstration: "演示",
  demo: "此处无需代码。",
  sit: "在此入座",
  opening: "正在打开此屏幕……",
  taken: "此座位已有其他访客。入口页面显示空座。",
};

export const enrolTexts: Readonly<Record<Language, typeof en>> = { en, es, zh };
