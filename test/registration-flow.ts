import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { findOtpSentTo } from './server/mails.ts'

export const GOOD_PASSWORD = 'Kluay-5-Wan#'
export const WRONG_CODE_MESSAGE = 'รหัสไม่ถูกต้องหรือใช้ไม่ได้แล้ว ตรวจสอบอีกครั้ง หรือขอรหัสใหม่'

let people = 0

export function createRegistrant(over: Record<string, unknown> = {}) {
  people += 1
  const number = String(people).padStart(5, '0')
  return {
    email: `anong${number}@siamyotha.example`,
    organization_name: `บริษัท สยามโยธา ${number} จำกัด`,
    firstname: 'อนงค์',
    lastname: 'ใจดี',
    phone: `08999${number}`,
    organization_option: [100, 101],
    discover_lightwork: 'Facebook',
    ...over,
  }
}
export type Person = ReturnType<typeof createRegistrant>

export const getDifferentOtp = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, '0')

/**
 * Returns the registration calls of a test server. `running` is evaluated on each call, because servers are created in
 * hooks.
 */
export function createRegistrationCalls(running: () => { db: Db; app: RouteApp }) {
  const post = (path: string, payload: object, headers: Record<string, string> = {}, on = running().app) =>
    on.inject({ method: 'POST', url: `/api/v2/auth/${path}/`, payload, headers })
  const stepOne = async ({ email }: Person, on = running().app) => {
    const from = { query_string: '?utm=x', client_info: { screen: '390' } }
    const payload = { ...from, email, password: GOOD_PASSWORD, terms_accepted: true }
    const answer = await post('register-step-one', payload, {}, on)
    return { answer, code: answer.json<{ register_form_code: string }>().register_form_code }
  }
  const stepTwo = ({ email: _, ...rest }: Person, code: string, on = running().app) =>
    post('register-step-two', { register_form_code: code, ...rest }, {}, on)
  const askOtp = (code: string, on = running().app) => post('create-register-otp', { register_form_code: code }, {}, on)
  const final = (code: string, otp: string, headers: Record<string, string> = {}, on = running().app) =>
    post('register-step-final', { register_form_code: code, otp }, headers, on)
  const upToOtp = async (person: Person) => {
    const { code } = await stepOne(person)
    for (const answer of [await stepTwo(person, code), await askOtp(code)])
      if (answer.statusCode !== 200) throw new Error(`registration: ${answer.statusCode} ${answer.body}`)
    return { code, otp: await findOtpSentTo(running().db, person.email) }
  }
  return { post, stepOne, stepTwo, askOtp, final, upToOtp }
}
