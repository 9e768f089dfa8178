import { expect, test } from 'vitest'
import { ACTORS, AUDIENCES } from '../../test/authorisation-matrix/audiences.ts'
import { MATRIX } from '../../test/authorisation-matrix/matrix.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn } from '../../test/server/http-app.ts'

// `authorisation.long.test.ts` sends the requests of the matrix.
onOneEngine('the authorisation matrix', (makeDb) => {
  test('R23: rows match the registered routes', async () => {
    const languageModel = { baseUrl: 'https://models.example/v1', model: 'small', dailyQuestions: 1 }
    const app = await appOn(await makeDb(), { settings: { languageModel } })
    const registered = app.listedRoutes.flatMap(({ url, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${url}`),
    )
    await app.close()
    expect(new Set(registered)).toEqual(new Set(Object.keys(MATRIX)))
  })
})

test.each(Object.entries(AUDIENCES))('R23: the audience %s lists all actors', (_name, access) => {
  expect(new Set(Object.keys(access))).toEqual(new Set(ACTORS))
})

test('R23: every restricted change has a row with a call that succeeds', () => {
  const missing = Object.entries(MATRIX).filter(
    ([route, { audience, bare, full }]) => !route.startsWith('GET') && audience !== 'anyone' && bare >= 300 && !full,
  )
  expect(missing).toEqual([])
})
