import { expect, test } from 'vitest'
import type { PushPayload } from '#contract/channels/push.ts'
import { truncatePushPayload } from './send-push.ts'

const PAYLOAD: PushPayload = {
  ...{ id: '0', title: 'ยื่นข้อเสนอ เหลือ 4 วัน', body: 'ซื้อกล้อง', path: '/report/69119000001', unread: 1, at: 1 },
  ...{ star: 's'.repeat(300), hide: 'h'.repeat(300) },
}
/** Size of an encrypted payload. Push services accept 4,096 bytes including the encryption overhead. */
const bytesOf = (payload: PushPayload) => Buffer.byteLength(JSON.stringify(payload)) + 103
const LONG = 'จ้างก่อสร้าง"\\ '.repeat(400)

test('sends a message that fits unchanged', () => {
  expect(truncatePushPayload(PAYLOAD)).toBe(PAYLOAD)
})

test.each([
  ['title', { title: LONG }],
  ['body', { body: LONG }],
  ['title and body', { title: LONG, body: LONG }],
  ['body of emoji', { body: '😀'.repeat(3_000) }],
  ['body of control characters', { body: '\u0001'.repeat(3_000) }],
  ['address', { path: `/report?view=who_wins&${'x=ก&'.repeat(1_500)}` }],
  [
    'everything',
    { title: LONG, body: LONG, path: `/report?${LONG}`, star: 's'.repeat(2_000), hide: 'h'.repeat(2_000) },
  ],
])('shortens a very long %s to the size every push service accepts, keeping its subject', (_what, change) => {
  const payload = { ...PAYLOAD, ...change }
  const sent = truncatePushPayload(payload)
  expect(bytesOf(sent)).toBeLessThanOrEqual(4_096)
  expect(sent.title.slice(0, 20)).toBe(payload.title.slice(0, 20))
  expect(sent.title).not.toBe('')
  if ('body' in change && !('path' in change)) expect(bytesOf(sent)).toBeGreaterThan(3_900)
  expect(sent.title.isWellFormed() && sent.body.isWellFormed()).toBe(true)
})
