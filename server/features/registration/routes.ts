import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import {
  businessTypeSchema,
  freeAnswerSchema,
  registerOtpAnswerSchema,
  registerStepOneAnswerSchema,
  registerStepTwoAnswerSchema,
} from '#contract/registration.ts'
import {
  checkEmailSchema,
  checkOrganisationSchema,
  checkPhoneSchema,
  registerOtpSchema,
  registerStepFinalSchema,
  registerStepOneSchema,
  registerStepTwoSchema,
} from '#contract/registration-form.ts'
import { type Tokens, tokensSchema } from '#contract/session.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { BUSINESS_TYPES } from './business-types.ts'
import { type CheckedField, checkFree, createEnumerationAlarm } from './checks.ts'
import { finalStep, type NewAccount } from './final-step.ts'
import { createOtp } from './one-time-code.ts'
import type { RegistrationContext } from './registration-context.ts'
import { stepOne, stepTwo } from './steps.ts'

type RegistrationOptions = RegistrationContext & {
  /** Opens a session for who has just made an account, as a login does. */
  signIn(request: FastifyRequest, reply: FastifyReply, account: NewAccount): Promise<Tokens>
}

const tags = ['registration']
const FREE = { is_available: true } as const

/** POST /auth/check-*-exist/, /auth/register-step-*\/, /auth/create-register-otp/ and GET /organisations/business-types (specification section 7). */
export function registrationRoutes(app: RouteApp, options: RegistrationOptions): void {
  const alarm = createEnumerationAlarm(options.now)
  const check = async (request: FastifyRequest, field: CheckedField, value: string) => {
    alarm(request.log)
    await checkFree(options, field, value)
    return FREE
  }
  const checked = { public: true, errorList: true } as const
  const response = { 200: freeAnswerSchema }

  app.post(
    '/auth/check-email-exist',
    {
      config: checked,
      schema: { tags, summary: 'Whether an e-mail address is free', body: checkEmailSchema, response },
    },
    (request) => check(request, 'email', request.body.email),
  )
  app.post(
    '/auth/check-phone-exist',
    { config: checked, schema: { tags, summary: 'Whether a phone number is free', body: checkPhoneSchema, response } },
    (request) => check(request, 'phone', request.body.phone),
  )
  app.post(
    '/auth/check-organization-exist',
    {
      config: checked,
      schema: { tags, summary: 'Whether an organisation name is free', body: checkOrganisationSchema, response },
    },
    (request) => check(request, 'organization_name', request.body.organizename),
  )

  app.get(
    '/organisations/business-types',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'What an organisation may say that it sells',
        response: { 200: z.array(businessTypeSchema) },
      },
    },
    async () => [...BUSINESS_TYPES],
  )

  app.post(
    '/auth/register-step-one',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Begin with e-mail and password; answers the code of the form, valid for 60 minutes',
        body: registerStepOneSchema,
        response: { 200: registerStepOneAnswerSchema },
      },
    },
    (request) => stepOne(options, request.body),
  )
  app.post(
    '/auth/register-step-two',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'The organisation and the person; may be repeated until the end',
        body: registerStepTwoSchema,
        response: { 200: registerStepTwoAnswerSchema },
      },
    },
    (request) => stepTwo(options, request.body),
  )
  app.post(
    '/auth/create-register-otp',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Mail a new one-time code; the one before dies',
        body: registerOtpSchema,
        response: { 200: registerOtpAnswerSchema },
      },
    },
    (request) => createOtp(options, request.body.register_form_code),
  )
  app.post(
    '/auth/register-step-final',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Make the account with the code from the mail and log in; repeatable with the same Idempotency-Key',
        body: registerStepFinalSchema,
        response: { 200: tokensSchema },
      },
    },
    async (request, reply) => {
      const { register_form_code: formCode, otp } = request.body
      const idempotencyKey = request.headers['idempotency-key']?.toString()
      const origin = { address: request.ip, requestId: request.id }
      const account = await finalStep(options, { formCode, otp, idempotencyKey }, origin)
      return options.signIn(request, reply, account)
    },
  )
}
