import { USER_ROLES } from '#contract/account/user.ts'

export const ROLE_OPTIONS = USER_ROLES.map(({ code, label }) => ({ value: code, th: label }))
