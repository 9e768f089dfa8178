import path from 'node:path'
import sql from 'sql-template-tag'
import { DOMAIN_VERIFICATION_PREFIX } from '#contract/account/organisation-login.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { buildApp } from '#server/http/app.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openMemoryDb } from '#server/platform/engine/open-db.ts'
import { OIDC_CLIENT, startOidcServer } from '../test/server/oidc-server.ts'

/**
 * `node e2e/organisation-login-server.ts PORT`: the product with a real OpenID provider and a DNS zone that contains
 * the requested record once `zone` arrives over IPC. Prints `ready` when both are up. Contains only the demo accounts.
 */
const port = Number(process.argv[2])
const home = `http://127.0.0.1:${port}`
const google = await startOidcServer({ home })
for (const email of ['manager@noensai.example', 'bid@noensai.example'])
  google.people.set(email, { sub: `sub of ${email}`, email, email_verified: true, hd: 'noensai.example' })
const db = await openMemoryDb()
await migrateDatabase(db)
await seedSampleOrganisations(db, '2026-11-21')
let isWritten = false
const app = await buildApp({
  db,
  settings: {
    authSecrets: ['a secret of the browser tests, long enough to be one'],
    publicUrl: home,
    distDir: path.resolve('dist'),
    logLevel: 'warn',
    localWebhooks: true,
    organisationLogin: { google: { ...OIDC_CLIENT, issuer: google.url } },
    resolveTxt: async () => {
      if (!isWritten) throw Object.assign(new Error('nothing there'), { code: 'ENODATA' })
      const tokens = await db.query<{ token: string }>(sql`select token from login_domains`)
      return tokens.map(({ token }) => [`${DOMAIN_VERIFICATION_PREFIX}${token}`])
    },
  },
})
process.on('message', (message) => {
  if (message === 'zone') isWritten = true
})
process.on('disconnect', () => process.exit(0))
await app.listen({ port, host: '127.0.0.1' })
process.send?.('ready')
