/**
 * R23: which actor may call which route, as data. `authorisation.long.test.ts` checks every cell and fails for a route
 * without a row, a row without a route, and an actor missing from a list. It is part of `npm test`, so a gap fails the
 * build.
 */

/** All kinds of callers. The first five have no live session. */
export const ACTORS = [
  'anonymous',
  /** Has the code of an unfinished registration but no account. */
  'notRegistered',
  'loggedOut',
  'disabled',
  /** A user whose whole organisation was disabled. */
  'closed',
  'demo',
  /** A user whose organisation has access to budget years only. */
  'budgetOnly',
  'noFlags',
  /** A super user whose organisation has not finished its watch lists. */
  'notReady',
  'memberA',
  'superA',
  'memberB',
  'superB',
  /** A product operator, who belongs to no organisation with data (R61). */
  'operator',
  /** A program of organisation A with an API key for every scope (decision 0112). */
  'key',
] as const
export type Actor = (typeof ACTORS)[number]

/** `in`: allowed; otherwise the status of the refusal. */
type ExpectedAccess = 'in' | 401 | 403

// biome-ignore format: a table, one column an actor in the order of `ACTORS`
const LISTS = {
  //             anon  notReg logOut disab  closed demo  budget noFlag notRdy memA  supA  memB  supB  oper  key
  anyone:        ['in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in'],
  signedIn:      [ 401,  401,  401,  401,  401, 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403,  403],
  /** Access to the first request of every client, including an operator's. */
  whoAmI:        [ 401,  401,  401,  401,  401, 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403],
  /** The demo account is shared by all visitors, so visitors may not change it (C6). */
  ownAccount:    [ 401,  401,  401,  401,  401,  403, 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403,  403],
  /** Routes for login and account security, which operators need too. */
  anyAccount:    [ 401,  401,  401,  401,  401,  403, 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403],
  report:        [ 401,  401,  401,  401,  401, 'in',  403, 'in', 'in', 'in', 'in', 'in', 'in',  403,  403],
  /** Like `report`, but API keys may call these routes too. */
  reportKeys:    [ 401,  401,  401,  401,  401, 'in',  403, 'in', 'in', 'in', 'in', 'in', 'in',  403, 'in'],
  /** Routes that change or export data of the organisation, which the demo may not (C6). */
  reportOwn:     [ 401,  401,  401,  401,  401,  403,  403, 'in', 'in', 'in', 'in', 'in', 'in',  403,  403],
  reportOwnKeys: [ 401,  401,  401,  401,  401,  403,  403, 'in', 'in', 'in', 'in', 'in', 'in',  403, 'in'],
  superUsers:    [ 401,  401,  401,  401,  401,  403,  403,  403, 'in',  403, 'in',  403, 'in',  403,  403],
  companies:     [ 401,  401,  401,  401,  401, 'in',  403,  403, 'in', 'in', 'in', 'in', 'in',  403,  403],
  companiesKeys: [ 401,  401,  401,  401,  401, 'in',  403,  403, 'in', 'in', 'in', 'in', 'in',  403, 'in'],
  companiesOwn:  [ 401,  401,  401,  401,  401,  403,  403,  403, 'in', 'in', 'in', 'in', 'in',  403,  403],
  comparison:    [ 401,  401,  401,  401,  401, 'in',  403,  403, 'in', 'in', 'in',  403,  403,  403,  403],
  comparisonOwn: [ 401,  401,  401,  401,  401,  403,  403,  403, 'in', 'in', 'in',  403,  403,  403,  403],
  budget:        [ 401,  401,  401,  401,  401, 'in', 'in',  403, 'in', 'in', 'in',  403,  403,  403,  403],
  budgetOwn:     [ 401,  401,  401,  401,  401,  403, 'in',  403, 'in', 'in', 'in',  403,  403,  403,  403],
  /** The address for assistants, which call everything else with their key. */
  keys:          [ 401,  401,  401,  401,  401,  403,  403,  403,  403,  403,  403,  403,  403,  403, 'in'],
  operators:     [ 401,  401,  401,  401,  401,  403,  403,  403,  403,  403,  403,  403,  403, 'in',  403],
} as const satisfies Record<string, readonly ExpectedAccess[]>

type Audience = keyof typeof LISTS

export const AUDIENCES: Readonly<Record<Audience, Readonly<Partial<Record<Actor, ExpectedAccess>>>>> =
  Object.fromEntries(
    Object.entries(LISTS).map(([name, answers]) => [
      name,
      Object.fromEntries(answers.map((answer, at) => [ACTORS[at], answer])),
    ]),
  ) as Record<Audience, Partial<Record<Actor, ExpectedAccess>>>

export type MatrixRow = {
  readonly audience: Audience
  /** Status that allowed actors get for an empty request. */
  readonly bare: number
  /**
   * Response to allowed actors for a valid request. All others must get the same refusal as for an empty request, since
   * access is checked before the body. A value starting with `$` names a resource of the calling user.
   */
  readonly full?: {
    readonly status: number
    readonly params?: Readonly<Record<string, string>>
    readonly body?: Readonly<Record<string, unknown>>
    /** A non-JSON body, sent as application/octet-stream. */
    readonly raw?: string
  }
}
