import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderInUseError, lockFolder } from './folder-lock.ts'

let home: string
let folder: string
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tamngan-lock-'))
  folder = path.join(home, 'pglite')
})
afterEach(() => rm(home, { recursive: true, force: true }))

const lockFile = () => `${folder}.lock`
const owner = async () => JSON.parse(await readFile(lockFile(), 'utf8'))

test('refuses a second holder with the pid of the first, and admits it after the release', async () => {
  const first = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toMatchObject({ name: 'FolderInUseError', pid: process.pid })
  await first.release()
  const second = await lockFolder(folder)
  await second.release()
})

test('exactly one of many succeeds, even when all find the lock of a dead process', async () => {
  const takeAll = () => Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
  const fresh = await takeAll()
  expect(fresh.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await writeFile(lockFile(), JSON.stringify({ ...(await owner()), pid: await deadPid() }))
  const taken = await takeAll()
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await owner()).pid).toBe(process.pid)
})

test('takes over the lock of a killed process, even when its pid was reused', async () => {
  const lock = await lockFolder(folder)
  const self = await owner()
  await lock.release()
  await writeFile(lockFile(), JSON.stringify({ ...self, pid: await deadPid() }))
  await (await lockFolder(folder)).release()
  // The lock names our parent process, which is running but has another start time.
  await writeFile(lockFile(), JSON.stringify({ ...self, pid: process.ppid, started: '1' }))
  await (await lockFolder(folder)).release()
})

test('a process killed during a takeover delays no other, and exactly one of many succeeds', async () => {
  const lock = await lockFolder(folder)
  const dead = JSON.stringify({ ...(await owner()), pid: await deadPid() })
  await lock.release()
  await writeFile(lockFile(), dead)
  const guard = `${lockFile()}.takeover`
  await mkdir(path.join(guard, 'next'), { recursive: true })
  await writeFile(path.join(guard, 'owner'), dead)
  await writeFile(path.join(guard, 'next', 'owner'), dead)
  const begun = performance.now()
  const taken = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  // The limit is below 30 s, the age at which a guard counts as stale.
  expect(performance.now() - begun).toBeLessThan(20_000)
  expect((await readdir(home)).filter((name) => name.includes('takeover'))).toEqual([])
})

test('a live process keeps its lock regardless of age', async () => {
  const lock = await lockFolder(folder)
  const longAgo = new Date('2020-01-01')
  await utimes(lockFile(), longAgo, longAgo)
  await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderInUseError)
  await lock.release()
})

test('judges an owner in another container only by its heartbeat', async () => {
  const foreign = { pid: 1, started: '5', host: `not-${hostname()}`, pidSpace: 'pid:[1]' }
  await writeFile(lockFile(), JSON.stringify(foreign))
  const beat = setInterval(() => utimes(lockFile(), new Date(), new Date()).catch(() => undefined), 500)
  await expect(lockFolder(folder)).rejects.toMatchObject({ pid: 1 })
  clearInterval(beat)
  await (await lockFolder(folder)).release()
})

test('takes over a lock file truncated by a crash', async () => {
  await writeFile(lockFile(), '{"pid":')
  await (await lockFolder(folder)).release()
})

async function deadPid(): Promise<number> {
  const child = spawn('true')
  await new Promise((resolve) => child.once('exit', resolve))
  return child.pid!
}
