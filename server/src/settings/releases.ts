import * as v from 'valibot'
import { decimal, Flag, minutes, optional, setting, Text, Web, whole } from './setting.ts'

/** The release store, and when a release is withdrawn. */
export const releasesSettings = {
  releases: optional(
    'DMP_RELEASES',
    'Release store: a folder, or s3://bucket/prefix with endpoint and keys of DMP_S3_…; ' +
      'the folder releases of the data folder where left out',
    Text,
  ),
  releasesUrl: optional(
    'DMP_RELEASES_URL',
    'Address from which pages load release files instead of this server: ' +
      'a web server or CDN before the same store (release-reference.md), ending in /releases',
    v.pipe(
      Web,
      v.regex(/^https?:\/\/[\w.:-]+(?:\/[\w.-]+)*\/releases$/, 'is not a plain address that ends in /releases'),
    ),
  ),
  releaseFourEyes: setting(
    'DMP_RELEASE_FOUR_EYES',
    'Parts whose release, brought over the API, another person than its publisher makes live, with commas between them; ' +
      'none for no part',
    v.pipe(
      Text,
      v.regex(
        /^(?:none|(?:host|viewer|remote-[a-z0-9-]+)(?:,(?:host|viewer|remote-[a-z0-9-]+))*)$/,
        'is not none, nor names of parts such as host,remote-scan',
      ),
    ),
    { fallback: 'host' },
  ),
  releaseKeepDays: setting(
    'DMP_RELEASE_KEEP_DAYS',
    'After how many days releases go that nobody can get any more and that no open page has; 0 keeps them for ever',
    whole(0, 36_500),
    { fallback: '30' },
  ),
  releaseWatch: setting('DMP_RELEASE_WATCH', 'Whether a release that fails on pages is taken back by itself', Flag, {
    fallback: '1',
  }),
  releaseWatchMinutes: minutes(
    'DMP_RELEASE_WATCH_MINUTES',
    'How long a release is watched after it goes live for everyone; a canary is always watched',
    '60',
  ),
  releaseWatchPages: setting(
    'DMP_RELEASE_WATCH_PAGES',
    'Pages on which a release must have failed before it is judged',
    whole(1, 1_000_000),
    { fallback: '3' },
  ),
  releaseWatchPeople: setting(
    'DMP_RELEASE_WATCH_PEOPLE',
    'Users whose pages must have failed before a release is rolled back, or a canary stopped; one is enough for a canary ' +
      'of named people alone',
    whole(1, 1_000_000),
    { fallback: '2' },
  ),
  releaseWatchOrganizations: setting(
    'DMP_RELEASE_WATCH_ORGANIZATIONS',
    'Organizations that must each have met the same fault, by their own pages alone; ' +
      'fewer are enough where fewer customers use the platform, or have a canary of named people',
    whole(1, 1000),
    { fallback: '2' },
  ),
  releaseWatchPercent: setting(
    'DMP_RELEASE_WATCH_PERCENT',
    'Share of its pages on which a release must have failed, in percent',
    decimal(0, 100),
    { fallback: '5' },
  ),
  releaseWatchTimes: setting(
    'DMP_RELEASE_WATCH_TIMES',
    'How many times as often as the previous release it must have failed',
    decimal(1, 1000),
    { fallback: '3' },
  ),
  releaseErrorBudget: setting(
    'DMP_RELEASE_ERROR_BUDGET',
    'Share of its pages on which a canary may have failed and still go to more people, in percent; 100 for any',
    decimal(0, 100),
    { fallback: '1' },
  ),
} as const
