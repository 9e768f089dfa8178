import sql, { type Sql } from 'sql-template-tag'

type Ids = {
  readonly organisation: Sql
  readonly user: Sql
  readonly careful: Sql
  readonly invitation: number
  readonly loginDomain: number
  readonly at: Sql
}

/** Returns one row for each table of the login with organisation accounts (Google, Microsoft). */
export const buildLoginRows = ({ organisation: o, user: u, careful, invitation, loginDomain, at: AT }: Ids): Sql[] => [
  sql`insert into login_domains (id, organisation_id, domain, provider, token, issuer, created_by, created_at, verified_at) overriding system value
    values (${loginDomain}::int, ${o}, 'canary.example', 'google', 'token', 'issuer', ${u}, ${AT}, ${AT})`,
  sql`insert into login_identities values (${careful}, 'issuer', 'subject', ${AT}, ${AT})`,
  sql`insert into organisation_logins values ('hash', 'hash', ${loginDomain}::int, '2026-12-20')`,
  sql`insert into organisation_joins (token_hash, browser_hash, invitation_id, domain_id, issuer, subject, expires_at)
    values ('hash', 'hash', ${invitation}::int, ${loginDomain}::int, 'issuer', 'subject', '2026-12-20')`,
]
