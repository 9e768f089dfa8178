import { searchForm } from '../thai/thai-text.ts'
import { isNaturalPerson, isPersonId, type NamedParty, publicTaxId } from './natural-person.ts'

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
  { form: 'limited', pattern: /^(?:บริษัทจำกัด|บริษัท|บจก|บจ\.|บ\.)\.?/ },
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
/** One firm has one tax id whatever office or person signs: e-GP adds them to names. */
const OFFICE = /\(?(?:สำนักงานใหญ่|สาขา(?:ที่)?\d{1,5}|head ?office|branch ?(?:no\.?)? ?\d{1,5})\)?$/
const SIGNATORY = /(?<=จำกัด|\(มหาชน\)|ltd\.?)\(?โดย(?:นาย|นาง|น\.ส\.|ผู้รับมอบ|กรรมการ)[\s\S]*/
/** Every cooperative is limited by law, and half of them write it. */
const COOPERATIVE = /^(?:ร้าน|ชุมนุม)?สหกรณ์/
const SEPARATORS = /[\s.,"'“”\-‐‑–—]/gu

function taken(name: string, rules: readonly Rule[]): { readonly form: LegalForm; readonly rest: string } | undefined {
  for (const { form, pattern } of rules) {
    const rest = name.replace(pattern, '')
    if (rest !== name) return { form, rest }
  }
  return undefined
}

function partsOf(name: string): { readonly form: LegalForm; readonly key: string } {
  const whole = searchForm(name).replace(SIGNATORY, '').replace(OFFICE, '').trimEnd()
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

/** A name as companies are searched by: search form, without legal form, blanks, dots, commas, dashes and quotes. Empty for an empty name. */
export function companyNameKey(name: string): string {
  return partsOf(name).key
}

/**
 * Returns the tax id of a company; undefined for a person's id, the placeholder of zeros and anything unreadable. Ids that begin with D are given to joint
 * ventures one after another at each agency (D888888888001 is two ventures in the data), so a venture is known by its name.
 */
export function usableTaxId(taxId: string | null): string | undefined {
  const id = publicTaxId(taxId)
  return id === null || id.startsWith('D') ? undefined : id
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

/**
 * Whether each party to one project is a natural person, in their order. A party with a name alone is who bears that name in the same project, so one
 * mention with a person's id decides for all of them.
 */
export function naturalPeopleAmong(
  parties: readonly NamedParty[],
  identities: readonly (string | undefined)[] = identitiesOf(parties),
): boolean[] {
  const mentions = Map.groupBy(parties.keys(), (index) => identities[index] ?? index)
  const isPerson = (indexes: readonly number[]) => {
    const named = indexes.map((index) => parties[index]!)
    const byId = named.filter(({ taxId }) => isPersonId(taxId))
    return byId.length > 0 ? byId.some(isNaturalPerson) : named.every(isNaturalPerson)
  }
  const people = new Map([...mentions].map(([identity, indexes]) => [identity, isPerson(indexes)]))
  return parties.map((_, index) => {
    const identity = identities[index]
    return !(identity?.startsWith('t:') ?? false) && people.get(identity ?? index)!
  })
}
