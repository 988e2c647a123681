/** Character references of HTML: those by number, and the names that are in use for text. Others stay as they are. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', shy: '' },
  ...{ copy: '©', reg: '®', trade: '™', hellip: '…', mdash: '—', ndash: '–', minus: '−', middot: '·', bull: '•' },
  ...{ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', laquo: '«', raquo: '»' },
  ...{ larr: '←', uarr: '↑', rarr: '→', darr: '↓', harr: '↔', times: '×', divide: '÷', plusmn: '±', deg: '°' },
  ...{ le: '≤', ge: '≥', ne: '≠', asymp: '≈', infin: '∞', micro: 'µ', para: '¶', sect: '§', check: '✓' },
  ...{ euro: '€', pound: '£', yen: '¥', cent: '¢', frac12: '½', frac14: '¼', frac34: '¾', sup2: '²', sup3: '³' },
  ...{ agrave: 'à', aacute: 'á', acirc: 'â', atilde: 'ã', auml: 'ä', aring: 'å', aelig: 'æ', ccedil: 'ç' },
  ...{ egrave: 'è', eacute: 'é', ecirc: 'ê', euml: 'ë', igrave: 'ì', iacute: 'í', icirc: 'î', iuml: 'ï' },
  ...{ ntilde: 'ñ', ograve: 'ò', oacute: 'ó', ocirc: 'ô', otilde: 'õ', ouml: 'ö', oslash: 'ø', szlig: 'ß' },
  ...{ ugrave: 'ù', uacute: 'ú', ucirc: 'û', uuml: 'ü', yacute: 'ý', yuml: 'ÿ', eth: 'ð', thorn: 'þ' },
  ...{ Agrave: 'À', Aacute: 'Á', Acirc: 'Â', Atilde: 'Ã', Auml: 'Ä', Aring: 'Å', AElig: 'Æ', Ccedil: 'Ç' },
  ...{ Egrave: 'È', Eacute: 'É', Ecirc: 'Ê', Euml: 'Ë', Iacute: 'Í', Icirc: 'Î', Iuml: 'Ï', Ntilde: 'Ñ' },
  ...{ Oacute: 'Ó', Ocirc: 'Ô', Otilde: 'Õ', Ouml: 'Ö', Oslash: 'Ø', Uacute: 'Ú', Ucirc: 'Û', Uuml: 'Ü' },
}

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}\d{0,2}));/g
const REPLACEMENT = '\ufffd'

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(NAMES, name) ? NAMES[name]! : whole
    return characterOf(decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal))
  })
}

/** No half of a surrogate pair, nothing beyond Unicode, no NUL: text must be well-formed. */
function characterOf(codePoint: number): string {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff
  return codePoint === 0 || isSurrogate || codePoint > 0x10ffff ? REPLACEMENT : String.fromCodePoint(codePoint)
}
