import type { OrganisationLoginSettings } from '#server/account/organisation-login/providers.ts'
import type { LineSettings } from '#server/channels/line/line-settings.ts'
import type { LanguageModelSettings } from '#server/documents/answer/language-model.ts'
import { parseDocumentStoreUrl, type S3Settings } from '#server/documents/store/s3-settings.ts'
import type { EmbeddingsProviderSettings } from '#server/matching/meaning/embeddings-provider.ts'
import { SettingsError } from './settings-error.ts'

type ServiceEnv = {
  readonly [name in
    | 'DOCUMENTS_URL'
    | 'DOCUMENTS_ACCESS_KEY_ID'
    | 'DOCUMENTS_SECRET_ACCESS_KEY'
    | 'VAPID_PUBLIC_KEY'
    | 'VAPID_PRIVATE_KEY'
    | 'EMBEDDINGS_URL'
    | 'EMBEDDINGS_MODEL'
    | 'EMBEDDINGS_API_KEY'
    | 'LLM_URL'
    | 'LLM_MODEL'
    | 'LLM_API_KEY'
    | 'OIDC_GOOGLE_CLIENT_ID'
    | 'OIDC_GOOGLE_CLIENT_SECRET'
    | 'OIDC_MICROSOFT_CLIENT_ID'
    | 'OIDC_MICROSOFT_CLIENT_SECRET'
    | 'LINE_CHANNEL_ID'
    | 'LINE_CHANNEL_SECRET'
    | 'LINE_CHANNEL_ACCESS_TOKEN']?: string | undefined
}

/**
 * True if documents may be sent to this URL: by https, or by plain http only within this machine or a private network.
 */
export function isSafeDocumentEndpoint(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:') return true
  const isPrivate = /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]{1,12}$/.test(hostname)
  return protocol === 'http:' && (isPrivate || hostname === '[::1]' || !/[.:]/.test(hostname))
}

/**
 * Returns the bucket settings, or undefined (documents stay in DATA_DIR) if no URL is set. Throws for partial settings.
 * Error messages never repeat values, which may be secrets.
 */
export function parseDocumentBucketSettings(data: ServiceEnv): S3Settings | undefined {
  const { DOCUMENTS_URL: url, DOCUMENTS_ACCESS_KEY_ID: accessKeyId } = data
  const { DOCUMENTS_SECRET_ACCESS_KEY: secretAccessKey } = data
  if (url === undefined) {
    if (accessKeyId === undefined && secretAccessKey === undefined) return undefined
    throw new SettingsError('DOCUMENTS_URL: must be set when DOCUMENTS_ACCESS_KEY_ID or DOCUMENTS_SECRET_ACCESS_KEY is')
  }
  if (accessKeyId === undefined) throw new SettingsError('DOCUMENTS_ACCESS_KEY_ID: must be set when DOCUMENTS_URL is')
  if (secretAccessKey === undefined)
    throw new SettingsError('DOCUMENTS_SECRET_ACCESS_KEY: must be set when DOCUMENTS_URL is')
  if (!/^[\x21-\x7e]{1,128}$/.test(accessKeyId) || /[/,]/.test(accessKeyId))
    throw new SettingsError('DOCUMENTS_ACCESS_KEY_ID: must be visible ASCII without blanks, slashes and commas')
  try {
    return { ...parseDocumentStoreUrl(url), accessKeyId, secretAccessKey }
  } catch (error) {
    throw new SettingsError(`DOCUMENTS_URL: ${(error as Error).message}`)
  }
}

export type VapidKeyPair = { readonly publicKey: string; readonly privateKey: string }

export function parseVapidKeys({
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
}: ServiceEnv): VapidKeyPair | undefined {
  if (publicKey === undefined && privateKey === undefined) return undefined
  if (publicKey === undefined) throw new SettingsError('VAPID_PUBLIC_KEY: must be set when VAPID_PRIVATE_KEY is')
  if (privateKey === undefined) throw new SettingsError('VAPID_PRIVATE_KEY: must be set when VAPID_PUBLIC_KEY is')
  return { publicKey, privateKey }
}

export function parseEmbeddingSettings(
  data: ServiceEnv & { readonly EMBEDDINGS_KIND: EmbeddingsProviderSettings['kind'] },
): EmbeddingsProviderSettings | undefined {
  const { EMBEDDINGS_URL: baseUrl, EMBEDDINGS_MODEL: model } = data
  if (baseUrl === undefined && model === undefined) return undefined
  if (baseUrl === undefined) throw new SettingsError('EMBEDDINGS_URL: must be set when EMBEDDINGS_MODEL is')
  if (model === undefined) throw new SettingsError('EMBEDDINGS_MODEL: must be set when EMBEDDINGS_URL is')
  return { kind: data.EMBEDDINGS_KIND, baseUrl, model, apiKey: data.EMBEDDINGS_API_KEY }
}

export function parseLanguageModelSettings(
  data: ServiceEnv & { readonly LLM_DAILY_QUESTIONS: number },
): LanguageModelSettings | undefined {
  const { LLM_URL: baseUrl, LLM_MODEL: model, LLM_API_KEY: apiKey, LLM_DAILY_QUESTIONS: dailyQuestions } = data
  if (baseUrl === undefined && model === undefined) return undefined
  if (baseUrl === undefined) throw new SettingsError('LLM_URL: must be set when LLM_MODEL is')
  if (model === undefined) throw new SettingsError('LLM_MODEL: must be set when LLM_URL is')
  return { baseUrl, model, apiKey, dailyQuestions }
}

/**
 * Returns the LINE settings, or undefined (LINE is off) if none is set. Throws unless all three are set. Error messages
 * never repeat values.
 */
export function parseLineSettings(data: ServiceEnv & { readonly LINE_API_URL: string }): LineSettings | undefined {
  const names = ['LINE_CHANNEL_ID', 'LINE_CHANNEL_SECRET', 'LINE_CHANNEL_ACCESS_TOKEN'] as const
  const missing = names.filter((name) => data[name] === undefined)
  if (missing.length === names.length) return undefined
  if (missing.length > 0) throw new SettingsError(`${missing[0]}: must be set when another setting of LINE is`)
  if (!/^\d{5,20}$/.test(data.LINE_CHANNEL_ID!)) throw new SettingsError('LINE_CHANNEL_ID: must be digits')
  if (!/^[0-9a-f]{32}$/.test(data.LINE_CHANNEL_SECRET!))
    throw new SettingsError('LINE_CHANNEL_SECRET: must be 32 digits and letters from a to f')
  const token = data.LINE_CHANNEL_ACCESS_TOKEN!
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new SettingsError('LINE_CHANNEL_ACCESS_TOKEN: must be visible ASCII without blanks')
  if (token.length < 20 || token.length > 1_000)
    throw new SettingsError(
      `LINE_CHANNEL_ACCESS_TOKEN: has ${token.length} characters, must have 20 to 1000; was it copied completely?`,
    )
  return {
    channelId: data.LINE_CHANNEL_ID!,
    channelSecret: data.LINE_CHANNEL_SECRET!,
    accessToken: data.LINE_CHANNEL_ACCESS_TOKEN!,
    apiUrl: data.LINE_API_URL,
  }
}

export function parseOrganisationLoginSettings(
  data: ServiceEnv & { readonly OIDC_GOOGLE_ISSUER: string; readonly OIDC_MICROSOFT_AUTHORITY: string },
): OrganisationLoginSettings {
  const google = clientOf('OIDC_GOOGLE', data.OIDC_GOOGLE_CLIENT_ID, data.OIDC_GOOGLE_CLIENT_SECRET)
  const microsoft = clientOf('OIDC_MICROSOFT', data.OIDC_MICROSOFT_CLIENT_ID, data.OIDC_MICROSOFT_CLIENT_SECRET)
  for (const name of ['OIDC_GOOGLE_ISSUER', 'OIDC_MICROSOFT_AUTHORITY'] as const) {
    const url = data[name]
    if (!isSafeDocumentEndpoint(url) || url.endsWith('/'))
      throw new SettingsError(`${name}: must begin with https://, and end without a slash`)
  }
  return {
    google: google && { ...google, issuer: data.OIDC_GOOGLE_ISSUER },
    microsoft: microsoft && { ...microsoft, authority: data.OIDC_MICROSOFT_AUTHORITY },
  }
}

function clientOf(prefix: string, clientId: string | undefined, clientSecret: string | undefined) {
  if (clientId === undefined && clientSecret === undefined) return undefined
  if (clientId === undefined)
    throw new SettingsError(`${prefix}_CLIENT_ID: must be set when ${prefix}_CLIENT_SECRET is`)
  if (clientSecret === undefined)
    throw new SettingsError(`${prefix}_CLIENT_SECRET: must be set when ${prefix}_CLIENT_ID is`)
  return { clientId, clientSecret }
}
