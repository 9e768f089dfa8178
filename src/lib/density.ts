import { createStoredSetting } from './stored-setting.ts'

export const DISPLAY_DENSITIES = [
  { code: 'comfortable', name: 'สบายตา' },
  { code: 'compact', name: 'กะทัดรัด' },
] as const
export type DisplayDensity = (typeof DISPLAY_DENSITIES)[number]['code']

const density = createStoredSetting('tamngan.density', ['comfortable', 'compact'])

export const setDisplayDensity: (next: DisplayDensity) => void = density.set
export const useDisplayDensity: () => DisplayDensity = density.useValue
