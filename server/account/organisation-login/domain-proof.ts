import { Resolver } from 'node:dns/promises'
import { DOMAIN_VERIFICATION_HOST, DOMAIN_VERIFICATION_PREFIX } from '#contract/account/organisation-login.ts'

/**
 * Resolves the TXT records of a name, each as a list of its parts, like `node:dns`. Rejects with `ENOTFOUND` or
 * `ENODATA` when there are none.
 */
export type TxtRecordResolver = (name: string) => Promise<readonly (readonly string[])[]>

export const resolveTxtRecords: TxtRecordResolver = (name) =>
  new Resolver({ timeout: 3_000, tries: 2 }).resolveTxt(name)

export const buildDomainVerificationRecord = ({
  domain,
  token,
}: {
  readonly domain: string
  readonly token: string
}) => ({
  name: `${DOMAIN_VERIFICATION_HOST}.${domain}`,
  value: `${DOMAIN_VERIFICATION_PREFIX}${token}`,
})

/**
 * Result of the DNS check. `there`: our record exists; `other`: the domain has only other TXT records; `none`: it has
 * no TXT records; `away`: the DNS server did not respond.
 */
export type DomainVerificationStatus = 'there' | 'other' | 'none' | 'away'

/** Checks whether the domain has our TXT record. Ignores surrounding blanks and quotes, which registrar forms add. */
export async function checkDomainVerificationRecord(
  resolve: TxtRecordResolver,
  domain: string,
  token: string,
): Promise<DomainVerificationStatus> {
  const { name, value } = buildDomainVerificationRecord({ domain, token })
  try {
    const records = await resolve(name)
    if (records.length === 0) return 'none'
    return records.some((parts) => parts.join('').trim().replace(/^"|"$/g, '') === value) ? 'there' : 'other'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOTFOUND' || code === 'ENODATA' ? 'none' : 'away'
  }
}
