import { expect, test } from 'vitest'
import type { Manifest } from './bundle-size.ts'
import { screenPreloads } from './screen-preloads.ts'

const DOMAINS: Readonly<Record<string, string>> = {
  ...{ login: 'account', register: 'account', 'usage-log': 'account', settings: 'account' },
  ...{ project: 'report', watch: 'matching' },
}
const folder = (name: string) => `src/${DOMAINS[name.split('/')[0]!] ?? 'market'}/pages`
const page = (name: string) => `${folder(name)}/${name}-page.tsx`
const start = (name: string) => `${folder(name)}/${name.replace('/', '/start-')}.ts`
const chunk = (file: string, ...imports: string[]) => ({ file: `${file}.js`, imports })
const group = (name: string, ...imports: string[]) => ({ ...chunk(name, ...imports), name })
const PAGES = [
  'register/register',
  'project/project',
  'watch/watch',
  'companies/companies',
  'company/company',
  'company-comparison/company-comparison',
  'budget/budget',
  'usage-log/usage-log',
  'settings/settings',
]
const manifest: Manifest = {
  'index.html': { ...chunk('entry'), isEntry: true },
  _shell: group('shell'),
  _data: group('server-data', '_shell'),
  _interface: group('interface', '_shell', '_data'),
  _phone: group('phone', '_interface', '_cards'),
  _cards: chunk('cards'),
  _desk: group('desk', '_interface'),
  _panel: group('panel', '_interface'),
  [page('login/login')]: chunk('login', '_shell', '_form'),
  _form: chunk('form'),
  ...Object.fromEntries(PAGES.map((name) => [page(name), chunk(name, '_interface')])),
  ...Object.fromEntries(PAGES.map((name) => [start(name), chunk(`${name}-start`, '_data')])),
  [start('company-comparison/comparison')]: chunk('comparison-start'),
}

test('each screen preloads its own files once, phones the cards, and /login the following screens later', () => {
  const preloads = screenPreloads(manifest)
  expect(preloads['/login']).toEqual([
    { file: 'shell.js' },
    { file: 'login.js' },
    { file: 'form.js' },
    { file: 'server-data.js', isLater: true },
    { file: 'interface.js', isLater: true },
  ])
  expect(preloads['/contact']).toEqual([{ file: 'shell.js' }])
  const media = '(max-width: 47.99rem)'
  expect(preloads['/report']).toEqual([
    { file: 'shell.js' },
    { file: 'server-data.js' },
    { file: 'interface.js' },
    { file: 'phone.js', media },
    { file: 'cards.js', media },
    { file: 'desk.js', media: '(min-width: 48rem)' },
    { file: 'panel.js', media: '(min-width: 48rem)' },
  ])
  expect(preloads['/watch']?.map(({ file }) => file)).toEqual([
    'shell.js',
    'server-data.js',
    'interface.js',
    'watch/watch.js',
    'watch/watch-start.js',
  ])
})

test('fails the build when a page has moved', () => {
  const { [page('watch/watch')]: _gone, ...rest } = manifest
  expect(() => screenPreloads(rest)).toThrow('src/matching/pages/watch/watch-page.tsx')
})
