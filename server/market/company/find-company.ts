import { companyNameKey, nameIdentity, usableTaxId } from '#contract/catalogue/company-name.ts'
import { readsAsPerson } from '#contract/catalogue/natural-person.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { normaliseThai, searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { refOf } from './company-input.ts'
import { type Candidate, findCandidates } from './queries/find.ts'
import { findSimilar } from './queries/list-similar.ts'

/** Result for one name or tax id; `similar` is filled only when no company matches. */
export type FoundCompany = {
  readonly asked: string
  readonly company: CompanyRef | undefined
  readonly similar: readonly CompanyRef[]
}

/**
 * `tin` of a company without a tax id that shares its name with companies that have one (`companyTin` in
 * src/lib/company-address.ts).
 */
const WITHOUT_TAX_ID = '-'

/**
 * Finds the company of an address: by tax id when given, else by name in any spelling. Prefers the closest name, then
 * the company with the most wins.
 */
export async function findCompany(db: Db, name: string, tin: string | undefined): Promise<CompanyRef | undefined> {
  if (tin === undefined) return (await resolveNames(db, [name])).get(name)
  if (tin === WITHOUT_TAX_ID) return (await resolveNames(db, [name], ({ tax_id }) => tax_id === null)).get(name)
  const taxId = taxIdIn(tin)
  return taxId === undefined ? undefined : (await resolveNames(db, [taxId])).get(taxId)
}

/** Finds companies by name or 13-digit tax id, in the given order; names without a match get similar companies. */
export async function findCompanies(db: Db, names: readonly string[]): Promise<FoundCompany[]> {
  const found = await resolveNames(db, names)
  const answers: FoundCompany[] = []
  for (const asked of names) {
    const company = found.get(asked)
    const similar = company || readsAsPerson(asked) ? [] : (await findSimilar(db, [asked])).map(refOf)
    answers.push({ asked, company, similar })
  }
  return answers
}

const taxIdIn = (text: string) => usableTaxId(normaliseThai(text))

async function resolveNames(
  db: Db,
  names: readonly string[],
  accepts: (company: Candidate) => boolean = () => true,
): Promise<Map<string, CompanyRef>> {
  const asked = [...new Set(names)].filter((name) => name.trim() !== '')
  const candidates = await findCandidates(db, {
    keys: asked.map(companyNameKey),
    taxIds: asked.flatMap((name) => taxIdIn(name) ?? []),
  })
  const found = new Map<string, CompanyRef>()
  for (const name of asked) {
    const [closest] = candidates
      .filter(accepts)
      .map((company) => ({ company, strangeness: strangenessOf(company, name) }))
      .filter(({ strangeness }) => strangeness < (readsAsPerson(name) ? LOOSELY_ALIKE : Infinity))
      .sort((a, b) => a.strangeness - b.strangeness)
    if (closest) found.set(name, refOf(closest.company))
  }
  return found
}

/**
 * Normalisations under which two spellings are equal, strictest first. Names without letters use only the first two.
 */
const WAYS: readonly ((text: string) => string | undefined)[] = [
  (text) => text.normalize('NFC'),
  searchForm,
  nameIdentity,
  companyNameKey,
]

/**
 * From this distance only the letters match. A person’s name (น.ส. ทดสอบ) must not open a company with a similar name
 * (นส.ทดสอบ).
 */
const LOOSELY_ALIKE = 4

/**
 * Distance between a company and the name as written: 0 is equal, Infinity a different company. The sort is stable, so
 * ties keep the order by wins. A former spelling ranks after another company's current name of the same closeness.
 */
function strangenessOf({ name, spelling, key, tax_id }: Candidate, asked: string): number {
  if (key === tax_id) return key === taxIdIn(asked) ? 0 : Infinity
  const place = (text: string) => {
    const at = WAYS.findIndex((way) => (way(text) ?? '') !== '' && way(text) === way(asked))
    return at < 0 ? Infinity : at * 2
  }
  return Math.min(place(name), place(spelling) + 1)
}
