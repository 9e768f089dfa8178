/** Cache where the page stores what the worker needs to report a changed subscription. */
export const PUSH_CACHE_NAME = 'tamngan-push'
export const PUSH_DEVICE_CACHE_KEY = '/push-device'
export type StoredPushDevice = { readonly secret: string; readonly publicKey: string }
