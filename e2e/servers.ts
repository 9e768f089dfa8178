import path from 'node:path'
import { test } from '@playwright/test'

/** One copy of the product for each project of playwright.config.ts: what one loads or imports, the others do not see. */
export const SERVERS = ['chromium', 'loading', 'hostile', 'long', 'apart'] as const
export type ServerName = (typeof SERVERS)[number]

export type TestServer = {
  readonly port: number
  readonly smtpPort: number
  /** Where the tests read the mails that this copy has sent. */
  readonly mailsPort: number
  readonly dataDir: string
  /** A file for each project that a test has taken for itself (own.ts). */
  readonly takenDir: string
  readonly url: string
}

const FIRST_PORT = Number(process.env.E2E_PORT ?? 4380)

export function serverNamed(name: string): TestServer {
  const place = SERVERS.findIndex((server) => server === name)
  if (place === -1) throw new Error(`there is no server for the project ${name}`)
  const port = FIRST_PORT + place
  const dataDir = path.join(process.env.E2E_DATA_DIR ?? '.data/e2e', name)
  return {
    port,
    smtpPort: port + 100,
    mailsPort: port + 200,
    dataDir,
    takenDir: `${dataDir}-taken`,
    url: `http://127.0.0.1:${port}`,
  }
}

/** The server of the test that is running. */
export const ownServer = (): TestServer => serverNamed(test.info().project.name)
