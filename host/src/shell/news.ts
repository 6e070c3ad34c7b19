/**
 * What people notice of new versions, newest first: one sentence each, without names of patients or customers. The
 * oldest go when there are more than ten.
 */
export const listNews = (): readonly { readonly day: string; readonly sentences: readonly string[] }[] => [
  {
    day: '2026-11-26',
    sentences: [
      'Lists keep views under a name: search, filters and order, for you or for everyone in your organization.',
      'Beside the name of a page, a ? says what the page is for, and pointing at a date says its weekday, its time and how long ago it was.',
      'Administrators are told when somebody opens many patients in a short time, patients out of hours, or a patient with a name like their own.',
      'An administrator can export everything that the organization has.',
    ],
  },
  {
    day: '2026-11-25',
    sentences: [
      'Deleted scans wait in a bin, from which an administrator restores them, and a transfer can be stopped before it leaves.',
      'The logo of an organization stands on the pages of its share links and in its mails.',
    ],
  },
]
