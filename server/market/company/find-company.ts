import { companyNameKey, nameIdentity, usableTaxId } from '#contract/catalogue/company-name.ts'
import { readsAsPerson } from '#contract/catalogue/natural-person.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { normaliseThai, searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { refOf } from './company-input.ts'
import { type Candidate, findCandidates } from './queries/find.ts'
import { findSimilar } from './queries/list-similar.ts'

/** What a name or a tax id stands for; `similar` names companies only where there is none. */
export type FoundCompany = {
  readonly asked: string
  readonly company: CompanyRef | undefined
  readonly similar: readonly CompanyRef[]
}

/** `tin` of a company that has none, where others of its name have one (`companyTin` in src/lib/company-address.ts). */
const WITHOUT_TAX_ID = '-'

/**
 * The company of an address: by the tax id where it is given, else by its name in any spelling. Of several, the one whose own name is closest to what
 * is written, then the one that won most.
 */
export async function findCompany(db: Db, name: string, tin: string | undefined): Promise<CompanyRef | undefined> {
  if (tin === undefined) return (await resolveNames(db, [name])).get(name)
  if (tin === WITHOUT_TAX_ID) return (await resolveNames(db, [name], ({ tax_id }) => tax_id === null)).get(name)
  const taxId = taxIdIn(tin)
  return taxId === undefined ? undefined : (await resolveNames(db, [taxId])).get(taxId)
}

/** Companies by names or 13-digit tax ids, in the order asked for; for each that nobody bears, names like it. */
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

/** Ways in which two spellings are the same, the strictest first; a name of signs alone has only the first two. */
const WAYS: readonly ((text: string) => string | undefined)[] = [
  (text) => text.normalize('NFC'),
  searchForm,
  nameIdentity,
  companyNameKey,
]

/** From here on only letters are alike. A person’s name (น.ส. ทดสอบ) must not open a company that is called nearly so (นส.ทดสอบ). */
const LOOSELY_ALIKE = 4

/**
 * How far a company is from the name as it was written: 0 is the same, infinite somebody else. Sorting is stable, so that of equals the one that won
 * most stays first. A spelling that a company once had comes after another's own name written as closely.
 */
function strangenessOf({ name, spelling, key, tax_id }: Candidate, asked: string): number {
  if (key === tax_id) return key === taxIdIn(asked) ? 0 : Infinity
  const place = (text: string) => {
    const at = WAYS.findIndex((way) => (way(text) ?? '') !== '' && way(text) === way(asked))
    return at < 0 ? Infinity : at * 2
  }
  return Math.min(place(name), place(spelling) + 1)
}
