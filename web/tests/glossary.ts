/**
 * One term for one thing, in each language: the felt, coach, rules, calls, help and staff pages all use these.
 *
 * A pattern matches the forms of a term. Where an English text has the term, the Spanish and the Chinese text with the
 * same key have theirs (`glossary.test.ts`). `not` lists other translations, which no text may use.
 */

export interface Term {
  readonly en: RegExp;
  readonly es: RegExp;
  readonly zh: RegExp;
  readonly not?: { readonly en?: RegExp; readonly es?: RegExp; readonly zh?: RegExp };
}

export const GLOSSARY: Readonly<Record<string, Term>> = {
  // The felt
  "Pass Line": { en: /(?<!don't )pass line/i, es: /línea de pase/i, zh: /过线/, not: { zh: /过关/ } },
  Pass: { en: /(?<!don't )\bpass\b/i, es: /\bpase\b/i, zh: /过线/ },
  "Don't Pass": { en: /don't pass/i, es: /no pase/i, zh: /不过线/ },
  Come: { en: /(?<!don't )\bcome( odds|$| on \{| bets)/i, es: /\bcome\b/i, zh: /来注/ },
  "Don't Come": { en: /don't come/i, es: /don't come/i, zh: /不来/, not: { es: /\bno come\b/i } },
  Place: { en: /\bPlace (?!your)|\bPLACE\b/, es: /\bplace\b/i, zh: /押/, not: { zh: /定位注/ } },
  Buy: { en: /\bbuy (?=\{)/i, es: /compra/i, zh: /买/ },
  Lay: { en: /\blay (?=\{)/i, es: /contra/i, zh: /赌输/ },
  odds: { en: /\bodds\b(?<!power odds)/i, es: /odds/i, zh: /赔率注/, not: { es: /probabilidades (de|al) pase/i } },
  Field: { en: /\bField\b|\bFIELD\b/, es: /campo/i, zh: /场/ },
  "hard way": { en: /\bhard\b/i, es: /duro/i, zh: /硬/, not: { es: /\bdobles?\b/i, zh: /对子|硬数/ } },
  "easy way": { en: /\beasy\b(?! craps| to guess)/i, es: /fácil/i, zh: /软/ },
  hop: { en: /\bhops?\b/i, es: /\bhops?\b/i, zh: /跳注/ },
  "one-roll bet": { en: /one-roll|one roll\b/i, es: /un tiro/i, zh: /单掷/, not: { zh: /一掷投注/ } },
  "special game": {
    en: /special games?|side bets?/i,
    es: /especial/i,
    zh: /特别/,
    not: { es: /lateral/i, zh: /边注/ },
  },
  "Power Odds": { en: /power odds/i, es: /power odds/i, zh: /强力赔率/ },
  chip: { en: /\bchips?\b/i, es: /fichas?/i, zh: /筹码/ },
  // The dice
  puck: { en: /\bpuck\b/i, es: /disco/i, zh: /标记/, not: { zh: /点标|圆盘/, es: /disco fuera/i } },
  point: {
    en: /(?<!check|at this )\bpoints?\b(?! made)/i,
    es: /punto/i,
    zh: /目标点|定点/,
    not: { zh: /点数为|定下点数|新点数/ },
  },
  "come-out": { en: /\bcome[- ]out\b/i, es: /salida/i, zh: /首掷/, not: { zh: /出场掷|开局掷/ } },
  "seven-out": { en: /\bseven[- ]out\b/i, es: /siete fuera/i, zh: /七出/ },
  shooter: { en: /(?<!lucky |hot )\bshooter\b/i, es: /tirador/i, zh: /掷手/, not: { zh: /掷骰者/ } },
  "no roll": { en: /\bno rolls?\b(?! yet|:| to)/i, es: /no cuenta|no contados?|no hay tiros/i, zh: /无效|尚未掷骰/ },
  eleven: { en: /\beleven\b/i, es: /once/i, zh: /十一/, not: { es: /¡yo!/i } },
  // Betting
  "place your bets": { en: /place your bets/i, es: /hagan sus apuestas/i, zh: /下注/ },
  "no more bets": { en: /no more bets/i, es: /no va más/i, zh: /停止下注/ },
  "house edge": { en: /house edge/i, es: /ventaja de la casa/i, zh: /庄家优势/ },
  commission: { en: /commission/i, es: /comisión/i, zh: /佣金/ },
  "switched off": {
    en: /switch\w* (\w+ ){0,5}off\b/i,
    es: /desactiv/i,
    zh: /关/,
    not: { es: /apagad|apagar|encend|poner en o/i, zh: /\bOFF\b/ },
  },
  locked: { en: /\blocked\b/i, es: /bloquead/i, zh: /锁/ },
  "beginner mode": {
    en: /beginner mode/i,
    es: /modo principiante/i,
    zh: /新手模式/,
    not: { en: /easy (mode|help)/i, es: /modo fácil/i, zh: /简易/ },
  },
  // Money
  credit: { en: /\bcredit\b(?! is worth)/i, es: /crédito/i, zh: /余额|积分|记入/ },
  credits: { en: /\bcredits\b/i, es: /créditos/i, zh: /积分/ },
  ticket: { en: /\btickets?\b/i, es: /tiques?/i, zh: /票/, not: { es: /ticket/i, zh: /彩票|票据/ } },
  "hand pay": {
    en: /\bhand pays?\b/i,
    es: /pagos? manual|paga a mano/i,
    zh: /人工支付/,
    not: { es: /pagos? (en|a) mano|pagan en mano/i },
  },
  "cash drawer": { en: /\bdrawers?\b/i, es: /caj[oó]n/i, zh: /钱箱/ },
  "cage (cashier)": { en: /\bthe cage\b(?!'| was| again)/i, es: /caja|jaula/i, zh: /柜台|机柜/, not: { zh: /账房/ } },
  meter: { en: /\bthe (whole )?meter\b|\bmeter \{/i, es: /contador/i, zh: /奖金池/, not: { zh: /(?<!金)奖池/ } },
  envy: { en: /\benvy\b/i, es: /bono/i, zh: /荷官红利/, not: { es: /envidia/i, zh: /羡慕/ } },
  // People and places
  dealer: { en: /(?<!the )\bdealers?\b/i, es: /crupier|repart/i, zh: /荷官/ },
  "pit boss": { en: /pit boss/i, es: /jefe de sector/i, zh: /区域主管/ },
  supervisor: { en: /supervisor/i, es: /supervisor/i, zh: /主任/, not: { zh: /(?<!区域)主管/ } },
  badge: { en: /\bbadges?\b/i, es: /credencial|reutiliz/i, zh: /工号/, not: { es: /\bplaca\b/i, zh: /工牌/ } },
  role: { en: /\brole\b/i, es: /\brol\b/i, zh: /职位/, not: { es: /\brango\b/i, zh: /职级|角色/ } },
  seat: { en: /\bseats?\b/i, es: /puestos?/i, zh: /座/ },
  acceptor: { en: /acceptor/i, es: /aceptador/i, zh: /验钞器/, not: { zh: /收钞机/ } },
  enrolled: { en: /enrol(?!ment)/i, es: /registra/i, zh: /注册/, not: { es: /inscri/i, zh: /登记/ } },
  revoke: { en: /revoke/i, es: /revoca/i, zh: /吊销/ },
  table: { en: /^(the )?tables?$/i, es: /mesa/i, zh: /桌/, not: { zh: /牌桌/ } },
};
