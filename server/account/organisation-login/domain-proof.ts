import { Resolver } from 'node:dns/promises'
import { PROOF_LABEL, PROOF_PREFIX } from '#contract/account/organisation-login.ts'

/** The TXT records of a name, each in its parts, as `node:dns` answers. Rejects as it does: `ENOTFOUND` and `ENODATA` where there are none. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>

/** By the resolver of this machine, ten seconds at most. */
export const resolveTxt: ResolveTxt = (name) => new Resolver({ timeout: 3_000, tries: 2 }).resolveTxt(name)

/** The record that shows who writes the zone of a domain. */
export const proofRecord = ({ domain, token }: { readonly domain: string; readonly token: string }) => ({
  name: `${PROOF_LABEL}.${domain}`,
  value: `${PROOF_PREFIX}${token}`,
})

/** `there`: one of the records is ours; `other`: there are some, none ours; `none`: there are none; `away`: nobody answered. */
export type DomainProof = 'there' | 'other' | 'none' | 'away'

/** Looks for the record. Blanks and quotes around it, which screens of registrars add, do not count. */
export async function proofOf(resolve: ResolveTxt, domain: string, token: string): Promise<DomainProof> {
  const { name, value } = proofRecord({ domain, token })
  try {
    const records = await resolve(name)
    if (records.length === 0) return 'none'
    return records.some((parts) => parts.join('').trim().replace(/^"|"$/g, '') === value) ? 'there' : 'other'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOTFOUND' || code === 'ENODATA' ? 'none' : 'away'
  }
}
