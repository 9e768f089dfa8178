import { searchForm } from '../thai/thai-text.ts'

/**
 * Who a company is. Names are written in many ways (บริษัท ก จำกัด, บจก.ก, "บริษัท  ก  จํากัด"), tax ids in one; people who won as themselves are
 * no companies. Both towers compare names by the same functions; changing a rule means counting all loads in anew (`COMPANIES_VERSION`).
 */

/** Legal forms that make two companies of one name two; what belongs to the name itself (ร้าน, สหกรณ์, กิจการร่วมค้า) is none. */
type LegalForm = 'public' | 'limited' | 'limited_partnership' | 'ordinary_partnership' | 'partnership' | 'none'

type Rule = { readonly form: LegalForm; readonly pattern: RegExp }

/** In their search form, longest first. ห้างหุ่นส่วน stands in 435 of 1.39 million real contracts for ห้างหุ้นส่วน. */
const PREFIXES: readonly Rule[] = [
  { form: 'public', pattern: /^(?:บริษัทมหาชนจำกัด|บมจ)\.?/ },
  { form: 'limited', pattern: /^(?:บริษัทจำกัด|บริษัท|บจก|บจ\.)\.?/ },
  { form: 'limited_partnership', pattern: /^(?:ห้างหุ้นส่วนจำกัด|ห้างหุ่นส่วนจำกัด|หจก|ห\.จ\.ก)\.?/ },
  {
    form: 'ordinary_partnership',
    pattern: /^(?:(?:ห้างหุ้นส่วนสามัญ|ห้างหุ่นส่วนสามัญ)(?:นิติบุคคล)?|หสน|ห\.ส\.น|หสม|ห\.ส\.ม)\.?/,
  },
  { form: 'partnership', pattern: /^(?:ห้างหุ้นส่วน|ห้างหุ่นส่วน)/ },
]
/** English ones begin where no other letter stands: "taco.,ltd" is called Taco. */
const SUFFIXES: readonly Rule[] = [
  { form: 'public', pattern: /จำกัด,?\(?มหาชน\)?$|\(มหาชน\)$|(?<![a-z0-9])(?:public company limited|pcl|plc)\.?$/ },
  { form: 'limited', pattern: /จำกัด$|จก\.$|(?<![a-z0-9])(?:co(?:mpany)?[ .,]*)?(?:ltd|limited)\.?$/ },
  {
    form: 'limited_partnership',
    pattern: /(?<![a-z0-9])(?:limited partnership|(?:ltd|limited)\.?[ ,]*part(?:nership)?\.?)$/,
  },
]
/** Forms whose name may end in จำกัด or (มหาชน); after หจก. the words belong to the name. */
const ENDING: ReadonlySet<LegalForm> = new Set(['public', 'limited', 'none'])
const HEAD_OFFICE = /\(?สำนักงานใหญ่\)?$/
/** Every cooperative is limited by law, and half of them write it. */
const COOPERATIVE = /^(?:ร้าน|ชุมนุม)?สหกรณ์/
const SEPARATORS = /[\s.,"'“”]/gu

function taken(name: string, rules: readonly Rule[]): { readonly form: LegalForm; readonly rest: string } | undefined {
  for (const { form, pattern } of rules) {
    const rest = name.replace(pattern, '')
    if (rest !== name) return { form, rest }
  }
  return undefined
}

function partsOf(name: string): { readonly form: LegalForm; readonly key: string } {
  const whole = searchForm(name).replace(HEAD_OFFICE, '')
  const before = taken(whole, PREFIXES)
  const stem = before?.rest ?? whole
  const after = ENDING.has(before?.form ?? 'none') ? taken(stem, SUFFIXES) : undefined
  const key = (after?.rest ?? stem).replace(SEPARATORS, '')
  // A name that is nothing but a legal form is its own name.
  if (key === '') return { form: 'none', key: searchForm(name).replace(SEPARATORS, '') }
  return { form: COOPERATIVE.test(stem) ? 'none' : formOf(before?.form, after?.form), key }
}

/** บริษัท … จำกัด (มหาชน) begins like every limited company; its end decides. */
function formOf(before: LegalForm | undefined, after: LegalForm | undefined): LegalForm {
  return after === 'public' ? 'public' : (before ?? after ?? 'none')
}

/** A name as companies are searched by: search form, without legal form, blanks, dots, commas and quotes. Empty for an empty name. */
export function companyNameKey(name: string): string {
  return partsOf(name).key
}

/** What is known of a party to a contract or a bid. */
export type NamedParty = { readonly taxId: string | null; readonly name: string | null }

/**
 * Ids of juristic persons begin with 0, those of consortia (given by e-GP) with D. Ids that begin with another digit are people's: they are never
 * kept, and the name identifies the company. Neither do masked ids and the placeholder of zeros say who it is.
 */
const JURISTIC_ID = /^[0D]\d{12}$/
const PLACEHOLDER = '0000000000000'

/** The tax id when it belongs to one company alone. */
export function usableTaxId(taxId: string | null): string | undefined {
  const id = taxId?.replace(/[\s-]/g, '').toUpperCase()
  return id !== undefined && JURISTIC_ID.test(id) && id !== PLACEHOLDER ? id : undefined
}

/** Identity: `t:` and the tax id, else `n:`, the legal form and the name without it; undefined where neither is known. */
export function companyKey({ taxId, name }: NamedParty): string | undefined {
  const id = usableTaxId(taxId)
  if (id !== undefined) return `t:${id}`
  return nameIdentity(name)
}

/** The identity that the name alone gives. */
export function nameIdentity(name: string | null): string | undefined {
  if (name === null) return undefined
  const { form, key } = partsOf(name)
  return key === '' ? undefined : `n:${form}:${key}`
}

/** How the real data masks people who won as themselves. */
const MASKED_PERSON = /^บุคคลธรรมดา([-\s]|$)/
const TITLES = /^(นางสาว|นาย|นาง|น\.\s?ส\.|ว่าที่(?=\s?ร้อย|\s?ร\.))/
/** A name and a surname: shops that are called after a district (นางรอง) or a craft have no blank in them. */
const TITLED_PERSON = new RegExp(`${TITLES.source}\\s*\\S+\\s+\\S+`)
/** Words by which a shop or a partnership goes, whatever it begins with. */
const TRADE = /(ร้าน|การค้า|พาณิชย์|ก่อสร้าง|บริการ|จำกัด|หจก|กรุ๊ป|วิสาหกิจ|เซอร์วิส)/

/** Whether this is a person who won under their own name: they have no page, no figures and no tax id anywhere. */
export function isNaturalPerson({ taxId, name }: NamedParty): boolean {
  if (usableTaxId(taxId) !== undefined || name === null) return false
  const plain = name.trim()
  return MASKED_PERSON.test(plain) || (TITLED_PERSON.test(plain) && !TRADE.test(plain))
}

/**
 * Who each party to one project is, in their order: a party with a name alone is the one that has this name and a tax id in the same project.
 */
export function identitiesOf(parties: readonly NamedParty[]): (string | undefined)[] {
  const ids = parties.map(({ taxId }) => usableTaxId(taxId))
  // Most contracts have one party with a tax id: what its name is made of need not be known.
  if (parties.every((_, index) => ids[index] !== undefined)) return ids.map((id) => `t:${id}`)
  const spelled = new Map<string | null, string | undefined>()
  for (const { name } of parties) if (!spelled.has(name)) spelled.set(name, nameIdentity(name))
  const byName = new Map<string, string>()
  for (const [index, { name }] of parties.entries()) {
    const named = spelled.get(name)
    if (ids[index] !== undefined && named !== undefined && !byName.has(named)) byName.set(named, `t:${ids[index]}`)
  }
  return parties.map(({ name }, index) => {
    if (ids[index] !== undefined) return `t:${ids[index]}`
    const named = spelled.get(name)
    return named === undefined ? undefined : (byName.get(named) ?? named)
  })
}
