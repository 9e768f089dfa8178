import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createPushSendingDependencies, getVapidSubject } from './vapid-keys.ts'

const NONE = { contactUrl: undefined, publicUrl: undefined, mailFrom: undefined }

test.each([
  [{ contactUrl: 'mailto:help@agency.example', publicUrl: 'https://tamngan.example' }, 'mailto:help@agency.example'],
  [{ publicUrl: 'https://tamngan.example' }, 'https://tamngan.example'],
  // Push services do not accept a telephone number as the subject.
  [{ contactUrl: 'tel:021234567', publicUrl: 'https://tamngan.example' }, 'https://tamngan.example'],
  [{ publicUrl: 'http://tamngan.agency.example' }, 'mailto:no-reply@tamngan.agency.example'],
  [
    { publicUrl: 'http://localhost:4000', mailFrom: 'ตามงาน <no-reply@agency.example>' },
    'mailto:no-reply@agency.example',
  ],
])('derives the VAPID subject from %o', (settings, subject) => {
  expect(getVapidSubject({ ...NONE, ...settings })).toBe(subject)
})

// For a subject derived from these URLs Apple would return 403, so no iPhone would be notified.
test.each([
  {},
  { publicUrl: 'http://localhost:4000' },
  { publicUrl: 'https://localhost' },
  { publicUrl: 'http://127.0.0.1:8080' },
  { publicUrl: 'https://192.168.1.20' },
  { publicUrl: 'http://[::1]:4000' },
  { publicUrl: 'http://tamngan.local' },
  { publicUrl: 'http://server7' },
  { contactUrl: 'mailto:root@localhost', mailFrom: 'root@localhost' },
])('the VAPID subject for %o is always a public name', (settings) => {
  const subject = getVapidSubject({ ...NONE, ...settings })
  expect(subject).toMatch(/^(?:mailto:[^@]+@|https:\/\/)[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/)
  expect(subject).not.toMatch(/localhost|\.local$|\d\.\d+\.\d/)
})

test('calls only a file with other content damaged, not one that cannot be read', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tamngan-vapid-'))
  const file = path.join(dataDir, 'vapid-keys.json')
  const load = () => createPushSendingDependencies({ ...NONE, dataDir, vapidKeys: undefined, isProduction: true })
  await mkdir(file)
  await expect(load()).rejects.toThrow('EISDIR')
  await rm(file, { recursive: true })
  await writeFile(file, '{')
  await expect(load()).rejects.toThrow('is damaged')
  await rm(dataDir, { recursive: true })
})
