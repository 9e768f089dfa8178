import { spawn } from 'node:child_process'
import { constants, cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { startMailCatcher } from './mail-catcher.ts'
import { prepareSeedFolder } from './seed.ts'
import { getServer } from './servers.ts'

/**
 * `node e2e/serve.ts NAME`: one copy of the product with the demo data and its own mail server. Started by
 * playwright.config.ts.
 */
const { port, smtpPort, mailsPort, dataDir, takenDir } = getServer(process.argv[2] ?? '')

const seed = await prepareSeedFolder()
for (const folder of [dataDir, takenDir]) rmSync(folder, { recursive: true, force: true })
// The copy is copy-on-write where the file system supports that.
cpSync(seed, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
startMailCatcher({ smtpPort, mailsPort })

const server = spawn(process.execPath, ['server/main.ts', 'serve'], {
  cwd: path.dirname(import.meta.dirname),
  env: {
    ...process.env,
    PORT: String(port),
    DATA_DIR: path.resolve(dataDir),
    SEED: 'sample',
    SEED_WAIT: 'on',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_FACTOR: '20',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  },
  stdio: 'inherit',
})
server.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => server.kill(signal))
// Stop when the parent has died: a killed test run cannot stop this process, and its port would stay in use.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) server.kill('SIGTERM')
}, 1_000)
