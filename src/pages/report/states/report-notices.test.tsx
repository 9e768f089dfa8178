import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ReportNotices } from './report-notices.tsx'

test('a saved filter of the link that the account does not have is named', () => {
  render(<ReportNotices ignored={[]} saved="unknown" outside={[]} loadingUntil={undefined} personal={[]} />)
  expect(screen.getByRole('status')).toHaveTextContent(
    'ไม่มีตัวกรองที่บันทึก “unknown” ในบัญชีของคุณ รายงานกรองตามส่วนอื่นของลิงก์เท่านั้น',
  )
})
