import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { OperatorJobRow, OperatorJobs, UndeliveredEmail } from '#contract/operation/jobs.ts'
import { CODE_LOAD_WAIT_OPTIONS, renderTestOperationScreens } from '#src/app/operation-for-tests.tsx'

const DEAD: OperatorJobRow = {
  ...{ id: 7, kind: 'match', organisation: 'siam', attempts: 10, failure: 'StatementError 57014', state: 'dead' },
  ...{ requested_at: '2026-11-22T20:00:00Z', at: '2026-11-22T23:00:00Z', can_restart: true },
}
const WAITING: OperatorJobRow = {
  ...DEAD,
  id: 8,
  kind: 'export',
  state: 'waiting',
  attempts: 0,
  failure: null,
  at: '2026-11-23T02:05:00Z',
  can_restart: false,
}
const MAIL: UndeliveredEmail = {
  ...{ id: 3, kind: 'password_changed', organisation: null, attempts: 15, failure: '421 DATA', state: 'failed' },
  ...{ created_at: '2026-11-22T20:00:00Z', can_resend: true },
}
let data: OperatorJobs
const { open, sent } = renderTestOperationScreens(() => ({ 'operation/jobs': data }))
beforeEach(() => {
  data = {
    checked_at: '2026-11-23T02:00:00Z',
    jobs: [DEAD, { ...DEAD, id: 9, kind: 'document', can_restart: false }, WAITING],
    mails: [MAIL, { ...MAIL, id: 4, kind: 'register_otp', can_resend: false }],
  }
})
const lines = async (name: string) =>
  within(await screen.findByRole('list', { name }, CODE_LOAD_WAIT_OPTIONS)).getAllByRole('listitem')

test('shows kind, owner, attempts and error of dead jobs, and restarts one optimistically', async () => {
  await open('/operation/jobs')
  const [match, mail] = await lines('งานที่ทำไม่สำเร็จ')
  for (const text of ['จับคู่โครงการ', 'siam', 'ลองแล้ว 10 ครั้ง', 'StatementError 57014', '23 พ.ย. 2569 06:00 น.'])
    expect(match).toHaveTextContent(text)
  // This job cannot be restarted, because its `died` hook has already notified the users.
  expect(within(mail!).queryByRole('button')).toBeNull()
  expect((await lines('งานที่รอหรือกำลังทำ'))[0]).toHaveTextContent('เริ่มในอีก 5 นาที')
  await userEvent.click(within(match!).getByRole('button', { name: 'เริ่มใหม่ จับคู่โครงการ งานที่ 7' }))
  await waitFor(() => expect(sent('operation/jobs/7/restart')).toHaveLength(1), CODE_LOAD_WAIT_OPTIONS)
  expect(await lines('งานที่ทำไม่สำเร็จ')).toHaveLength(1)
  expect(await lines('งานที่รอหรือกำลังทำ')).toHaveLength(2)
  sent('operation/jobs/7/restart')[0]!.answer({ non_field_errors: ['งานนี้ไม่ได้ล้มเหลวแล้ว'] }, 400)
  expect(await screen.findByText(/เริ่มงานใหม่ไม่สำเร็จ/, {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
  await waitFor(async () => expect(await lines('งานที่ทำไม่สำเร็จ')).toHaveLength(2), CODE_LOAD_WAIT_OPTIONS)
})

test('resends a mail while its text is stored', async () => {
  await open('/operation/jobs')
  const [resendable, deleted] = await lines('อีเมลที่ยังไม่ได้ส่ง')
  expect(deleted).toHaveTextContent('ลบข้อความแล้ว ส่งอีกไม่ได้')
  await userEvent.click(within(resendable!).getByRole('button', { name: 'ส่งอีกครั้ง แจ้งเปลี่ยนรหัสผ่าน ฉบับที่ 3' }))
  await waitFor(() => expect(sent('operation/mails/3/resend')).toHaveLength(1), CODE_LOAD_WAIT_OPTIONS)
  expect((await lines('อีเมลที่ยังไม่ได้ส่ง'))[0]).toHaveTextContent('รอส่ง')
})

test('shows an empty state when nothing is queued', async () => {
  data = { ...data, jobs: [], mails: [] }
  await open('/operation/jobs')
  expect(await screen.findByText('ไม่มีงานค้าง', {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
})

test('retries a failed request on click', async () => {
  const fullData = data
  data = { checked_at: 'x' } as OperatorJobs
  await open('/operation/jobs')
  expect(await screen.findByText('โหลดงานและอีเมลไม่สำเร็จ', {}, CODE_LOAD_WAIT_OPTIONS)).toBeVisible()
  data = fullData
  await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
  expect(await lines('งานที่ทำไม่สำเร็จ')).toHaveLength(2)
})
