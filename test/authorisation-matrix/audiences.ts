/**
 * R23: who may call what, as data. `authorisation.test.ts` makes a check of every cell and fails for a route without a row, a row without a
 * route, and an actor that one of the lists leaves out. It is part of `npm test`, so the build fails with it.
 */

/** Everybody who may ask. The first five have no session that lives. */
export const ACTORS = [
  'anonymous',
  /** Holds the code of a registration that is under way, and no account. */
  'notRegistered',
  'loggedOut',
  'disabled',
  /** Of an organisation that was disabled as a whole. */
  'closed',
  'demo',
  /** Of an organisation that sees budget years and nothing else. */
  'budgetOnly',
  'noFlags',
  /** A super user whose organisation has not finished its watch lists. */
  'notReady',
  'memberA',
  'superA',
  'memberB',
  'superB',
  /** Looks after the product; a user of no organisation with data (R61). */
  'operator',
  /** A program of A's organisation, with an API key of every scope (decision 0112). */
  'key',
] as const
export type Actor = (typeof ACTORS)[number]

/** Let in, or the status of the refusal. */
export type ExpectedAccess = 'in' | 401 | 403

// biome-ignore format: a table, one column an actor in the order of `ACTORS`
const LISTS = {
  //             anon  notReg logOut disab  closed demo  budget noFlag notRdy memA  supA  memB  supB  oper  key
  anyone:        ['in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in'],
  signedIn:      [ 401,  401,  401,  401,  401, 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403,  403],
  /** What every client asks for first, also that of an operator. */
  whoAmI:        [ 401,  401,  401,  401,  401, 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403],
  /** The demo's account is everybody's (C6). */
  ownAccount:    [ 401,  401,  401,  401,  401,  403, 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403,  403],
  /** What an account is opened with: operators have one too. */
  anyAccount:    [ 401,  401,  401,  401,  401,  403, 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in',  403],
  report:        [ 401,  401,  401,  401,  401, 'in',  403, 'in', 'in', 'in', 'in', 'in', 'in',  403,  403],
  /** What API keys read too. */
  reportKeys:    [ 401,  401,  401,  401,  401, 'in',  403, 'in', 'in', 'in', 'in', 'in', 'in',  403, 'in'],
  /** What changes or takes home something of the organisation: not in the demo (C6). */
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
  operators:     [ 401,  401,  401,  401,  401,  403,  403,  403,  403,  403,  403,  403,  403, 'in',  403],
} as const satisfies Record<string, readonly ExpectedAccess[]>

export type Audience = keyof typeof LISTS

/** Who is let in, by audience and actor. */
export const AUDIENCES: Readonly<Record<Audience, Readonly<Partial<Record<Actor, ExpectedAccess>>>>> =
  Object.fromEntries(
    Object.entries(LISTS).map(([name, answers]) => [
      name,
      Object.fromEntries(answers.map((answer, at) => [ACTORS[at], answer])),
    ]),
  ) as Record<Audience, Partial<Record<Actor, ExpectedAccess>>>

export type MatrixRow = {
  readonly who: Audience
  /** What those who are let in are answered when they send nothing at all. */
  readonly bare: number
  /**
   * What they are answered to a call that succeeds. Everybody else must get the same refusal as without a body: before it is looked at.
   * A value that starts with `$` is something of the asking user's own.
   */
  readonly full?: {
    readonly status: number
    readonly params?: Readonly<Record<string, string>>
    readonly body?: Readonly<Record<string, unknown>>
    /** A body that is no JSON: it is sent as application/octet-stream. */
    readonly raw?: string
  }
}
