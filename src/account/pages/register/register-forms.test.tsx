import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { registrationStepTwoSchema } from '#contract/account/registration-form.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import {
  DISCOVERY_CASES,
  EMAIL_CASES,
  FIRST_NAME_CASES,
  type FieldCase,
  ORGANISATION_NAME_CASES,
  OTP_CASES,
  PASSWORD_CASES,
  PHONE_CASES,
} from '../../../../test/account-cases.ts'
import { RegistrationAccountStep } from './register-page.tsx'
import { RegistrationCodeStep } from './registration-code-step.tsx'
import { RegistrationOrganisationStep } from './registration-organisation-step.tsx'

/** Types the server's test cases for specification section 5 into the forms. */

beforeEach(() => {
  sessionStorage.clear()
  // Fake network in which the availability checks find every value available.
  vi.stubGlobal('fetch', async (input: RequestInfo) => {
    const { pathname } = new URL(new Request(input).url)
    if (pathname.endsWith('/business-types')) return Response.json([])
    return pathname.includes('check-') ? Response.json({ is_available: true }) : new Promise<Response>(() => undefined)
  })
})
afterEach(() => vi.unstubAllGlobals())

const nothing = () => undefined
const renderStep = (step: ReactNode) => render(<QueryClientProvider client={queryClient}>{step}</QueryClientProvider>)
const stepOne = () =>
  renderStep(<RegistrationAccountStep draft={{}} hasRunOut={false} onDraft={nothing} onNext={nothing} />)
const stepTwo = () =>
  renderStep(
    <RegistrationOrganisationStep
      draft={{ code: 'c' }}
      onDraft={nothing}
      onBack={nothing}
      onNext={async () => undefined}
      onRunOut={nothing}
    />,
  )
const stepCode = () =>
  renderStep(
    <RegistrationCodeStep
      draft={{ code: 'c', mailedTo: 'n••e@company.co.th' }}
      sendingFailed={undefined}
      onDraft={nothing}
      onChangeEmail={nothing}
      onRunOut={nothing}
      onDone={nothing}
    />,
  )

const texts = (cases: readonly FieldCase[]) => cases.filter((fieldCase) => typeof fieldCase.value === 'string')
const FIELDS: readonly (readonly [what: string, draw: () => unknown, label: string, cases: readonly FieldCase[]])[] = [
  ['step one, e-mail', stepOne, 'อีเมลที่ทำงาน', EMAIL_CASES],
  ['step one, password', stepOne, 'รหัสผ่าน', PASSWORD_CASES],
  ['step two, organisation name', stepTwo, 'ชื่อองค์กร', ORGANISATION_NAME_CASES],
  ['step two, first name', stepTwo, 'ชื่อ', FIRST_NAME_CASES],
  [
    'step two, last name',
    stepTwo,
    'นามสกุล',
    FIRST_NAME_CASES.map((fieldCase) => ({
      ...fieldCase,
      ...(fieldCase.message ? { message: fieldCase.message.replace('ชื่อ', 'นามสกุล').replace('สมชาย', 'ใจดี') } : {}),
    })),
  ],
  ['step two, phone', stepTwo, 'เบอร์โทรศัพท์', PHONE_CASES],
]

describe.each(FIELDS)('%s', (_, draw, label, cases) => {
  test.each(texts(cases))('$why: $value', async ({ value, message }) => {
    draw()
    const input = screen.getByLabelText(label)
    await act(async () => {
      fireEvent.change(input, { target: { value } })
      fireEvent.blur(input)
    })
    if (message === undefined) {
      expect(input).not.toHaveAttribute('aria-invalid')
    } else {
      expect(await screen.findByText(message)).toBeInTheDocument()
      expect(input).toHaveAccessibleDescription(expect.stringContaining(message))
    }
  })
})

describe('step two, discovery channel', () => {
  test.each(texts(DISCOVERY_CASES).filter(({ value }) => value !== ''))(
    '$why: free text',
    async ({ value, message }) => {
      stepTwo()
      fireEvent.click(screen.getByLabelText('อื่น ๆ'))
      const input = screen.getByLabelText(/ช่องทางอื่น/)
      await act(async () => {
        fireEvent.change(input, { target: { value } })
      })
      fireEvent.click(screen.getByRole('button', { name: /ส่งรหัสยืนยัน/ }))
      await screen.findByText('กรอกชื่อองค์กร')
      if (message === undefined) expect(screen.queryByText(/ช่องทางที่รู้จักเรา/)).toBeNull()
      else expect(screen.getByText(message)).toBeInTheDocument()
    },
  )

  test('a missing choice is reported with all other missing fields, and the first of them gets focus', async () => {
    stepTwo()
    fireEvent.click(screen.getByRole('button', { name: /ส่งรหัสยืนยัน/ }))
    for (const text of ['กรอกชื่อองค์กร', 'กรอกชื่อ', 'กรอกนามสกุล', 'กรอกเบอร์โทรศัพท์', 'เลือกช่องทางที่รู้จักเรา'])
      expect(await screen.findByText(text)).toBeInTheDocument()
    expect(screen.getByLabelText('ชื่อองค์กร')).toHaveFocus()
  })

  test('gets focus if it is the only missing field, and a choice clears the error', async () => {
    stepTwo()
    const otherFields = { ชื่อองค์กร: 'บริษัท ทดสอบ จำกัด', ชื่อ: 'สมชาย', นามสกุล: 'ใจดี', เบอร์โทรศัพท์: '0812345678' }
    for (const [label, value] of Object.entries(otherFields))
      fireEvent.change(screen.getByLabelText(label), { target: { value } })
    fireEvent.click(screen.getByRole('button', { name: /ส่งรหัสยืนยัน/ }))
    expect(await screen.findByText('เลือกช่องทางที่รู้จักเรา')).toBeInTheDocument()
    const [first] = screen.getAllByRole('radio')
    expect(first).toHaveFocus()
    fireEvent.click(first!)
    await waitFor(() => expect(screen.queryByText('เลือกช่องทางที่รู้จักเรา')).toBeNull())
    expect(first).toBeChecked()
  })

  test('a missing answer shows one message without marking the choices; missing free text gets focus', async () => {
    stepTwo()
    fireEvent.click(screen.getByLabelText('อื่น ๆ'))
    fireEvent.blur(screen.getByLabelText('อื่น ๆ'))
    expect(screen.queryByText(/เล่าสั้น ๆ ว่ารู้จักจากที่ไหน แล้ว/)).toBeNull()
    const otherFields = { ชื่อองค์กร: 'บริษัท ทดสอบ จำกัด', ชื่อ: 'สมชาย', นามสกุล: 'ใจดี', เบอร์โทรศัพท์: '0812345678' }
    for (const [label, value] of Object.entries(otherFields))
      fireEvent.change(screen.getByLabelText(label), { target: { value } })
    fireEvent.click(screen.getByRole('button', { name: /ส่งรหัสยืนยัน/ }))
    expect(await screen.findByText('เล่าสั้น ๆ ว่ารู้จักจากที่ไหน แล้วสมัครต่อได้เลย')).toBeInTheDocument()
    expect(screen.getByLabelText(/ช่องทางอื่น/)).toHaveFocus()
    const group = screen.getByRole('group', { name: /รู้จักตามงานจากช่องทางใด/ })
    expect(group.innerHTML).not.toContain('urgent')
  })

  test('offers only values that the schema accepts', () => {
    stepTwo()
    const { discover_lightwork } = registrationStepTwoSchema.shape
    const offered = screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)
    expect(offered.length).toBeGreaterThan(5)
    for (const text of offered) expect(discover_lightwork.safeParse(text).success).toBe(true)
  })
})

describe('the final step', () => {
  test.each(texts(OTP_CASES).filter(({ message }) => message !== undefined && !message.includes('ต้องมี')))(
    '$why: $value',
    async ({ value, message }) => {
      stepCode()
      fireEvent.change(screen.getByLabelText(/รหัสยืนยัน/), { target: { value } })
      fireEvent.click(screen.getByRole('button', { name: /ยืนยัน/ }))
      expect(await screen.findByText(message!)).toBeInTheDocument()
    },
  )

  test('five digits are too few; seven are cut to six in the field', async () => {
    stepCode()
    const field = screen.getByLabelText(/รหัสยืนยัน/)
    fireEvent.change(field, { target: { value: '01234' } })
    fireEvent.click(screen.getByRole('button', { name: /ยืนยัน/ }))
    expect(await screen.findByText('รหัสต้องมี 6 หลัก')).toBeInTheDocument()
    fireEvent.change(field, { target: { value: '0123456' } })
    expect(field).toHaveValue('012345')
  })
})

describe('terms and password confirmation', () => {
  test('are required', async () => {
    stepOne()
    fireEvent.click(screen.getByRole('button', { name: 'ต่อไป' }))
    expect(await screen.findByText('ต้องยอมรับข้อกำหนดการใช้งานก่อนสมัคร')).toBeInTheDocument()
    expect(screen.getByText('กรอกรหัสผ่านอีกครั้ง')).toBeInTheDocument()
    expect(screen.getByLabelText('อีเมลที่ทำงาน')).toHaveFocus()
  })

  test('the confirmation is compared once typed, and again when the password changes', async () => {
    stepOne()
    const type = (label: string, value: string) =>
      act(async () => {
        const input = screen.getByLabelText(label)
        fireEvent.change(input, { target: { value } })
        fireEvent.blur(input)
      })
    await type('รหัสผ่าน', 'Ta7#mngn')
    expect(screen.queryByText('กรอกรหัสผ่านอีกครั้ง')).toBeNull()
    await type('รหัสผ่านอีกครั้ง', 'Ta7#mngm')
    expect(await screen.findByText('รหัสผ่านทั้งสองช่องไม่ตรงกัน')).toBeInTheDocument()
    await type('รหัสผ่าน', 'Ta7#mngm')
    expect(screen.queryByText('รหัสผ่านทั้งสองช่องไม่ตรงกัน')).toBeNull()
  })

  test.each([
    ['P@ssw0rd1', 'รหัสผ่านนี้มีคนใช้กันมาก เดาได้ง่าย เปลี่ยนเป็นหลายคำที่ไม่เกี่ยวกัน'],
    ['Chaophraya#2569', 'คำว่า "chaophraya" มาจากอีเมลหรือชื่อของคุณหรือองค์กร คนอื่นเดาได้ง่าย เปลี่ยนเป็นคำอื่น'],
  ])('%s gets no strength rating but one sentence with the reason and the remedy', async (password, reason) => {
    stepOne()
    fireEvent.change(screen.getByLabelText('อีเมลที่ทำงาน'), { target: { value: 'sale@chaophraya.example' } })
    fireEvent.change(screen.getByLabelText('รหัสผ่าน'), { target: { value: password } })
    expect(await screen.findByText(reason)).toBeInTheDocument()
    expect(screen.queryByText(/ความแข็งแรง/)).toBeNull()
    fireEvent.change(screen.getByLabelText('รหัสผ่าน'), { target: { value: 'Kluay-5-Wan#Tok' } })
    expect(await screen.findByText('ความแข็งแรง: แข็งแรง')).toBeInTheDocument()
  })

  test('rules are ticked off while typing the password', async () => {
    stepOne()
    const met = () => screen.getAllByText('ครบแล้ว').length
    expect(screen.queryByText('ครบแล้ว')).toBeNull()
    fireEvent.change(screen.getByLabelText('รหัสผ่าน'), { target: { value: 'aB' } })
    expect(met()).toBe(2)
    fireEvent.change(screen.getByLabelText('รหัสผ่าน'), { target: { value: 'aB3#efgh' } })
    expect(met()).toBe(5)
  })
})

test('offers a request to join under a taken organisation name, which requires first and last name', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/business-types')) return Response.json([])
    if (pathname.includes('check-organization')) return Response.json({ errors: ['สมัครไว้แล้ว'] }, { status: 400 })
    if (pathname.includes('check-')) return Response.json({ is_available: true })
    sent.push([pathname, await request.json()])
    return Response.json({ message: 'ส่งคำขอแล้ว' })
  })
  stepTwo()
  const type = (label: string, value: string) =>
    act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))
  await type('ชื่อองค์กร', 'บริษัท ทดสอบ จำกัด')
  const button = await screen.findByRole('button', { name: 'ขอเข้าร่วมองค์กรนี้' }, { timeout: 5_000 })
  await act(async () => fireEvent.click(button))
  expect(await screen.findByText('กรอกชื่อ')).toBeInTheDocument()
  expect(sent).toEqual([])
  await type('ชื่อ', 'สมชาย')
  await type('นามสกุล', 'ใจดี')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'ขอเข้าร่วมองค์กรนี้' })))
  expect(await screen.findByText('ส่งคำขอแล้ว')).toBeInTheDocument()
  const body = { register_form_code: 'c', organization_name: 'บริษัท ทดสอบ จำกัด', firstname: 'สมชาย', lastname: 'ใจดี' }
  expect(sent).toEqual([['/api/v2/auth/request-to-join/', body]])
})

test.each([
  ['too short', 'กข', false],
  ['without a letter', '123456', false],
  ['whole', 'บริษัท ทดสอบ จำกัด', true],
])('an available name that is %s gets the tick only when valid, never beside an error', async (_what, name, isGood) => {
  stepTwo()
  const field = screen.getByLabelText('ชื่อองค์กร')
  fireEvent.change(field, { target: { value: name } })
  await act(async () => new Promise((resolve) => setTimeout(resolve, 600)))
  expect(screen.queryByText('ใช้ชื่อนี้ได้') !== null).toBe(isGood)
  fireEvent.blur(field)
  await act(async () => undefined)
  expect(field.getAttribute('aria-invalid') === 'true').toBe(!isGood)
  expect(screen.queryByText('ใช้ชื่อนี้ได้') !== null).toBe(isGood)
})
