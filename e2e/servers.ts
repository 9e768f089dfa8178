import path from 'node:path'
import { test } from '@playwright/test'

/**
 * One copy of the product per project of playwright.config.ts, so that loads and imports of one project do not affect
 * the others.
 */
export const SERVERS = ['chromium', 'loading', 'hostile', 'long', 'apart'] as const
export type ServerName = (typeof SERVERS)[number]

type TestServer = {
  readonly port: number
  readonly smtpPort: number
  readonly mailsPort: number
  readonly dataDir: string
  /** One file for each project that a test has claimed (own.ts). */
  readonly takenDir: string
  readonly url: string
}

const FIRST_PORT = Number(process.env.E2E_PORT ?? 4380)

export function getServer(name: string): TestServer {
  const index = SERVERS.findIndex((server) => server === name)
  if (index === -1) throw new Error(`there is no server for the project ${name}`)
  const port = FIRST_PORT + index
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

export const currentServer = (): TestServer => getServer(test.info().project.name)
