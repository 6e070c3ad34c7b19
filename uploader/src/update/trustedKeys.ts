declare const __TRUSTED_KEYS__: readonly string[] | undefined

/** The keys whose programs count, written in by the build; none where the uploader runs from its sources. */
export const trustedKeys: readonly string[] = typeof __TRUSTED_KEYS__ === 'undefined' ? [] : __TRUSTED_KEYS__
