import { expect, test } from 'vitest'
import { scrubSentryEnvelope } from './sentry.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('removes secrets from errors and spans', () => {
  const envelope = [
    '{"event_id":"1"}',
    '{"type":"event"}',
    '{"message":"boom for pim@example.co.th","request":{"url":"https://x.th/login?refkey=k"}}',
    '{"type":"span"}',
    '{"name":"POST /reset-password/abc"}',
  ].join('\n')
  expect(scrubSentryEnvelope(envelope).split('\n')).toEqual([
    '{"event_id":"1"}',
    '{"type":"event"}',
    '{"message":"boom for [hidden]","request":{"url":"https://x.th/login?[hidden]"}}',
    '{"type":"span"}',
    '{"name":"POST /reset-password/[hidden]"}',
  ])
})

test('a replay keeps its two documents and updates its length in bytes', () => {
  const recording = '{"segment_id":0}\n[{"data":{"href":"https://x.th/report?project_name__in=ถนน","title":"รายงาน"}}]'
  const envelope = `{}\n{"type":"replay_recording","length":${bytesOf(recording).length}}\n${recording}\n{"type":"event"}\n{"a":1}`
  const [, header, segment, events, nextHeader, next] = scrubSentryEnvelope(bytesOf(envelope)).split('\n')
  expect(events).toBe('[{"data":{"href":"https://x.th/report?[hidden]","title":"รายงาน"}}]')
  expect(JSON.parse(header!)).toEqual({ type: 'replay_recording', length: bytesOf(`${segment}\n${events}`).length })
  expect([nextHeader, next]).toEqual(['{"type":"event"}', '{"a":1}'])
})

test('refuses to send what it cannot parse', () => {
  expect(() => scrubSentryEnvelope('{}\n{"type":"attachment","length":4}\nabcd')).toThrow()
})
