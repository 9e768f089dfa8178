import { toNormalisedSearchText } from '../thai/thai-text.ts'
import { isNaturalPerson, isPersonalName, isPersonId, type TenderParty, toPublicTaxId } from './natural-person.ts'

/**
 * Identity of a company. Names have many spellings (บริษัท ก จำกัด, บจก.ก, "บริษัท  ก  จํากัด"), tax ids only one;
 * natural persons are not companies. Client and server use the same functions; after changing a rule,
 * increment `COMPANY_FIGURES_VERSION` so that all loads are aggregated again.
 */

/**
 * Legal forms that distinguish companies with equal names. Words that belong to the name itself (ร้าน, สหกรณ์,
 * กิจการร่วมค้า) are not legal forms.
 */
type LegalForm = 'public' | 'limited' | 'limited_partnership' | 'ordinary_partnership' | 'partnership' | 'none'

type Rule = { readonly form: LegalForm; readonly pattern: RegExp }

/**
 * Patterns for the normalised name, longest first. 435 of 1.39 million real contracts misspell ห้างหุ้นส่วน as
 * ห้างหุ่นส่วน.
 */
const PREFIXES: readonly Rule[] = [
  { form: 'public', pattern: /^(?:บริษัทมหาชนจำกัด|บมจ)\.?/ },
  { form: 'limited', pattern: /^(?:บริษัทจำกัด|บริษัท|บจก|บจ\.|บ\.)\.?/ },
  { form: 'limited_partnership', pattern: /^(?:ห้างหุ้นส่วนจำกัด|ห้างหุ่นส่วนจำกัด|หจก|ห\.จ\.ก)\.?/ },
  {
    form: 'ordinary_partnership',
    pattern: /^(?:(?:ห้างหุ้นส่วนสามัญ|ห้างหุ่นส่วนสามัญ)(?:นิติบุคคล)?|หสน|ห\.ส\.น|หสม|ห\.ส\.ม)\.?/,
  },
  { form: 'partnership', pattern: /^(?:ห้างหุ้นส่วน|ห้างหุ่นส่วน)/ },
]
/** English suffixes match only after a non-letter, so "taco.,ltd" is the company Taco. */
const SUFFIXES: readonly Rule[] = [
  {
    form: 'public',
    pattern: /จำกัด,?\(?มหาชน\)?$|\(มหาชน\)$|,?บมจ\.?$|(?<![a-z0-9])(?:public company limited|pcl|plc)\.?$/,
  },
  { form: 'limited', pattern: /จำกัด$|,?บจก\.?$|จก\.$|(?<![a-z0-9])(?:co(?:mpany)?[ .,]*)?(?:ltd|limited)\.?$/ },
  {
    form: 'limited_partnership',
    pattern: /,?หจก\.?$|(?<![a-z0-9])(?:limited partnership|(?:ltd|limited)\.?[ ,]*part(?:nership)?\.?)$/,
  },
]
/** Forms whose name may end in จำกัด or (มหาชน); after หจก. these words belong to the name. */
const FORMS_WITH_SUFFIX: ReadonlySet<LegalForm> = new Set(['public', 'limited', 'none'])
/**
 * e-GP appends the office or the signatory to some company names. Both are stripped, because all offices share one tax
 * id.
 */
const OFFICE =
  /,?\(?(?:สำนักงานใหญ่|สนญ\.?|สาขา(?:ที่)?\d{1,5}|head ?office|branch ?(?:no\.?)? ?\d{1,5})\)?$|\(\d{5}\)$|(?<=จำกัด|\(มหาชน\)),?\(?สาขา(?:ที่)?\d{0,5}[ก-๛]{2,40}\)?$/
/** Matches punctuation after the legal form, as in "จำกัด.". */
const CLOSING_SIGNS = /(?<=จำกัด|\))[.,;]+$/
const SIGNATORY = /(?<=จำกัด|\(มหาชน\)|ltd\.?)\(?โดย(?:นาย|นาง|น\.ส\.|ผู้รับมอบ|กรรมการ)[\s\S]*/
/**
 * Matches cooperatives. All are limited by law, but only half of their names include จำกัด, so the word is no
 * distinction.
 */
const COOPERATIVE = /^(?:ร้าน|ชุมนุม)?สหกรณ์/
/** Matches a quote or list marker before a legal form, as in "1. บริษัท". */
const MARKER_BEFORE_FORM = /^(?:["']|\d{1,3}[.)] ?|[-*•·]) ?(?=บริษัท|บจก|บมจ|บ\.|ห้าง|หจก|หสน|หสม)/
const SEPARATORS = /[\s.,"'“”\-‐‑–—]/gu

function stripLegalForm(
  name: string,
  rules: readonly Rule[],
): { readonly form: LegalForm; readonly rest: string } | undefined {
  for (const { form, pattern } of rules) {
    const rest = name.replace(pattern, '')
    if (rest !== name) return { form, rest }
  }
  return undefined
}

function parseCompanyName(name: string): { readonly form: LegalForm; readonly key: string } {
  const cleanName = toNormalisedSearchText(name)
    .replace(MARKER_BEFORE_FORM, '')
    .replace(/"$/, '')
    .replace(CLOSING_SIGNS, '')
    .replace(SIGNATORY, '')
    .replace(OFFICE, '')
    .trimEnd()
  const prefix = stripLegalForm(cleanName, PREFIXES)
  const stem = prefix?.rest ?? cleanName
  const suffix = FORMS_WITH_SUFFIX.has(prefix?.form ?? 'none') ? stripLegalForm(stem, SUFFIXES) : undefined
  const key = (suffix?.rest ?? stem).replace(SEPARATORS, '')
  // For a name that consists only of a legal form, the key is the name itself.
  if (key === '') return { form: 'none', key: toNormalisedSearchText(name).replace(SEPARATORS, '') }
  return { form: COOPERATIVE.test(stem) ? 'none' : combineForms(prefix?.form, suffix?.form), key }
}

/** Returns the legal form. The suffix (มหาชน) decides, because บริษัท … จำกัด (มหาชน) starts like a limited company. */
function combineForms(prefixForm: LegalForm | undefined, suffixForm: LegalForm | undefined): LegalForm {
  return suffixForm === 'public' ? 'public' : (prefixForm ?? suffixForm ?? 'none')
}

/**
 * Returns the search key of a company name: normalised, without legal form, spaces, dots, commas, dashes and quotes.
 * Empty for an empty name.
 */
export function toCompanyNameKey(name: string): string {
  return parseCompanyName(name).key
}

/**
 * Returns the tax id of a company; undefined for a person's id, the all-zero placeholder and unreadable text. Agencies
 * assign ids starting with D to joint ventures independently (D888888888001 is two ventures in the data), so a venture
 * is identified by name.
 */
export function parseCompanyTaxId(taxId: string | null): string | undefined {
  const id = toPublicTaxId(taxId)
  return id === null || id.startsWith('D') ? undefined : id
}

/** Returns `t:` and the tax id, else `n:`, the legal form and the name without it; undefined when both are unknown. */
export function getCompanyKey({ taxId, name }: TenderParty): string | undefined {
  const id = parseCompanyTaxId(taxId)
  if (id !== undefined) return `t:${id}`
  return buildCompanyKeyFromName(name)
}

export function buildCompanyKeyFromName(name: string | null): string | undefined {
  if (name === null) return undefined
  const { form, key } = parseCompanyName(name)
  return key === '' ? undefined : `n:${form}:${key}`
}

/**
 * Returns the identity of each party to a project, in order. A party without a tax id has the identity of a party with
 * the same name that has one.
 */
export function getTenderPartyKeys(parties: readonly TenderParty[]): (string | undefined)[] {
  const ids = parties.map(({ taxId }) => parseCompanyTaxId(taxId))
  if (parties.every((_, index) => ids[index] !== undefined)) return ids.map((id) => `t:${id}`)
  const spelled = new Map<string | null, string | undefined>()
  for (const { name } of parties) if (!spelled.has(name)) spelled.set(name, buildCompanyKeyFromName(name))
  const byName = new Map<string, string>()
  for (const [index, { name }] of parties.entries()) {
    const nameId = spelled.get(name)
    if (ids[index] !== undefined && nameId !== undefined && !byName.has(nameId)) byName.set(nameId, `t:${ids[index]}`)
  }
  return parties.map(({ name }, index) => {
    if (ids[index] !== undefined) return `t:${ids[index]}`
    const nameId = spelled.get(name)
    return nameId === undefined ? undefined : (byName.get(nameId) ?? nameId)
  })
}

/**
 * Returns for each party whether it is a natural person, in order. A party without an id takes the id of a party with
 * the same name in the project, so one mention with a person's id decides for all of them.
 */
export function flagNaturalPersons(
  parties: readonly TenderParty[],
  identities: readonly (string | undefined)[] = getTenderPartyKeys(parties),
): boolean[] {
  return flagMentions(parties, identities, isNaturalPerson)
}

/** Like `flagNaturalPersons`, for names that must be hidden: the trade name of a person's shop is not one of them. */
export function flagPersonalNames(
  parties: readonly TenderParty[],
  identities: readonly (string | undefined)[] = getTenderPartyKeys(parties),
): boolean[] {
  return flagMentions(parties, identities, isPersonalName)
}

function flagMentions(
  parties: readonly TenderParty[],
  identities: readonly (string | undefined)[],
  matches: (party: TenderParty) => boolean,
): boolean[] {
  const mentions = Map.groupBy(parties.keys(), (index) => identities[index] ?? index)
  const isFlagged = (indexes: readonly number[]) => {
    const mentionedParties = indexes.map((index) => parties[index]!)
    const byId = mentionedParties.filter(({ taxId }) => isPersonId(taxId))
    return byId.length > 0 ? byId.some(matches) : mentionedParties.every(matches)
  }
  const flags = new Map([...mentions].map(([identity, indexes]) => [identity, isFlagged(indexes)]))
  return parties.map((_, index) => {
    const identity = identities[index]
    return !(identity?.startsWith('t:') ?? false) && flags.get(identity ?? index)!
  })
}
