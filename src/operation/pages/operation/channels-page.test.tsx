import { act, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { OperatorChannelStatus, OperatorChannels } from '#contract/operation/operator-channels.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { CODE_LOAD_WAIT_OPTIONS, renderTestOperationScreens } from '#src/app/operation-for-tests.tsx'

const MAIL: OperatorChannelStatus = {
  ...{ channel: 'mail', is_set_up: true, users: 12, waiting: 0, oldest_seconds: 0, sent: 40, failed: 0 },
  ...{ last_sent_at: '2026-11-23T01:30:00Z', last_error: null, last_error_at: null },
}
const PUSH: OperatorChannelStatus = {
  ...{ ...MAIL, channel: 'push', waiting: 7, oldest_seconds: 3_600, failed: 2 },
  ...{ last_error: '403', last_error_at: '2026-11-23T01:50:00Z' },
}
const LINE: OperatorChannelStatus = {
  ...MAIL,
  channel: 'line',
  is_set_up: false,
  users: 0,
  sent: 0,
  last_sent_at: null,
}

let data: OperatorChannels
const { open } = renderTestOperationScreens(() => ({ 'operation/channels': data }))
beforeEach(() => {
  data = { checked_at: '2026-11-23T02:00:00Z', channels: [MAIL, PUSH, LINE] }
})

test('shows each channel as healthy, failing with its last error, or missing named settings', async () => {
  await open('/operation/channels')
  const card = async (name: string) =>
    within((await screen.findByRole('heading', { name: new RegExp(name) }, CODE_LOAD_WAIT_OPTIONS)).closest('li')!)
  const mail = await card('อีเมล')
  expect(mail.getByText('ปกติ')).toBeVisible()
  expect(mail.getByText('23 พ.ย. 2569 08:30 น.')).toBeVisible()
  const push = await card('web push')
  for (const text of ['ค้าง', '7', /นานสุด 1 ชม\./, '403', '23 พ.ย. 2569 08:50 น.'])
    expect(push.getByText(text)).toBeVisible()
  data = {
    ...data,
    channels: [
      {
        ...LINE,
        is_set_up: true,
        month: { used: 500, quota: 500, is_out: true, asked_at: null, failure: 'status 401' },
      },
    ],
  }
  await act(() => queryClient.invalidateQueries())
  const full = await card('LINE')
  expect(await full.findByText(/ข้อความเดือนนี้ 500 จาก 500 ครบโควตาแล้ว/, {}, CODE_LOAD_WAIT_OPTIONS)).toHaveTextContent(
    'LINE ไม่รับ LINE_CHANNEL_ACCESS_TOKEN',
  )
  expect(full.queryByText('ปกติ')).toBeNull()
  expect(full.getByText('ถาม LINE ไม่สำเร็จ')).toBeVisible()
  data = { ...data, channels: [LINE] }
  await act(() => queryClient.invalidateQueries())
  await full.findByText(/LINE_CHANNEL_ACCESS_TOKEN/, {}, CODE_LOAD_WAIT_OPTIONS)
  const line = await card('LINE')
  expect(line.getByText(/LINE_CHANNEL_ACCESS_TOKEN/)).toBeVisible()
})
