import { createStoredSetting } from '#src/lib/stored-setting.ts'

/** On unless disabled on this device: users of speech input trigger them by accident (WCAG 2.1.4). */
const setting = createStoredSetting('tamngan.shortcuts', ['on', 'off'])

export const areSingleKeyShortcutsEnabled = (): boolean => setting.get() === 'on'
export const setSingleKeyShortcutsEnabled = (on: boolean): void => setting.set(on ? 'on' : 'off')
export const useSingleKeyShortcutsEnabled = (): boolean => setting.useValue() === 'on'
