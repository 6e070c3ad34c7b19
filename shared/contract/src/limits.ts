/**
 * The numbers of docs/product.md, sections 9 and 5, each once, the unit in the name. Times that a deployment may
 * change are in `settings.ts`.
 */
export const limits = {
  /** 9.01: page sizes and search debounces. */
  pageSizes: [10, 25, 50] as const,
  defaultPageSize: 10,
  tableSearchDebounceMs: 200,
  scanSearchDebounceMs: 500,
  /** The largest page that a client may ask for. */
  maxPageSize: 1000,
  searchMaxChars: 255,
  filterNameMaxChars: 60,
  filtersPerUser: 50,
  /** The address of a saved view of the worklist. */
  viewQueryMaxChars: 1000,
  /** A study that nobody has opened is new for so long. */
  newStudyDays: 14,
  /** Studies that the dashboard counts at most, and rows of other kinds, so that a figure takes milliseconds. */
  countedArrivals: 20_000,
  countedRows: 10_000,
  /** Studies on a page of the worklist, and series that a study brings along. */
  worklistPageSizes: [25, 50, 100] as const,
  worklistPageSize: 50,
  seriesPerStudy: 500,
  /** 9.02: image and description of a complaint. */
  complaintImageMaxBytes: 2_097_152,
  /** What the server can draw anew; an SVG is a document that may hold scripts. */
  complaintImageTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as readonly string[],
  complaintDescriptionMaxChars: 1024,
  /** Of each person; older ones are deleted. */
  inboxMostEntries: 500,
  inboxDays: 90,
  inboxPageSize: 25,
  /** Alerts about how patients are looked at: the bounds of their rules, notes, and how long they are kept. */
  alertLeastPatients: 5,
  alertMostPatients: 2000,
  alertLeastMinutes: 5,
  alertMostMinutes: 1440,
  alertNoteMaxChars: 1024,
  alertDays: 730,
  /** Exports of an organization: how long an archive stays, and an address of it. */
  exportDays: 7,
  exportAddressHours: 24,
  /** Imports: how long one that nothing arrives for, or nobody works at, stays. */
  importIdleDays: 2,
  /** What the writer of a complaint and the staff say to each other. */
  complaintMessageMaxChars: 2048,
  complaintMostMessages: 200,
  /** 9.03: the lengths of form fields. */
  organizationNameMaxChars: 255,
  personNameMaxChars: 30,
  phoneMaxChars: 15,
  emailMaxChars: 255,
  passwordMaxChars: 100,
  newPasswordMinChars: 12,
  mfaCodeMaxChars: 6,
  /** Comments on a status have no limit in the specification; this one keeps a mistake from filling the table. */
  commentMaxChars: 1024,
  /** 9.04: share links and the delete phrase. */
  shareMinDays: 1,
  shareMaxDays: 7,
  shareDefaultDays: 1,
  sharePasswordMinChars: 4,
  shareMaxUses: 1000,
  /** The sender's own words in the mail with a share link, and the code that a recipient gets. */
  shareMessageMaxChars: 500,
  shareCodeChars: 6,
  /** API tokens of machines; a deployment may allow fewer days. */
  apiTokenNameMaxChars: 60,
  apiTokenDefaultDays: 90,
  apiTokenMaxDays: 365,
  /** So long before its end, station and screens say that it ends. */
  apiTokenEndsSoonDays: 14,
  apiTokenAddresses: 20,
  apiTokenParts: 20,
  /** Of one release that comes in over the API: files, and bytes of the request that brings them. */
  releaseFiles: 500,
  releaseBytes: 16_000_000,
  /** Groups of errors that are kept of one part. */
  errorGroupsPerPart: 100,
  /** Addresses that the news of one part go to. */
  noticeAddresses: 5,
  /** Previews of a release: how long, how many of one part at a time, and the people who may open one. */
  previewDefaultDays: 7,
  previewMaxDays: 30,
  previewsPerPart: 20,
  previewUsers: 50,
  apiTokensPerOrganization: 100,
  /** What the browser suite tells of a run. */
  journeysPerRound: 400,
  journeyTitleMaxChars: 200,
  journeySentenceMaxChars: 300,
  /** Machines that ask for an API token by a code (RFC 8628): letters, how long it is good, how often they ask. */
  userCodeChars: 8,
  deviceCodeSeconds: 600,
  devicePollSeconds: 5,
  /** The list of changes: those on a page, and how long an answer is held back for news, below what proxies wait. */
  changesPageSize: 100,
  changesWaitSeconds: 25,
  /** Webhooks: their address, how many there are, and how long a replaced secret still signs. */
  webhookUrlMaxChars: 500,
  webhooksPerOrganization: 20,
  webhookSecretGraceHours: 24,
  webhookRetryHours: 72,
  webhookDeliveryDays: 30,
  webhookDeliveries: 10_000,
  /** DICOM partners: what they are called (PS3.5 section 6.2), where they are, how many, and refused callers. */
  aeTitleMaxChars: 16,
  dicomHostMaxChars: 253,
  dicomPartnersPerOrganization: 200,
  dicomCallers: 50,
  dicomCallerDays: 30,
  /** Machines with an uploader: how many, of one account, how long a silent one is kept, and the largest counts. */
  stationsPerOrganization: 500,
  stationsPerAccount: 100,
  stationDays: 90,
  stationSilentMinutes: 10,
  stationMostFiles: 1_000_000_000,
  /** Scans that one request may transfer, delete or share. */
  scansAtOnce: 500,
  /** Names of transfer projects, and how many an organization may have. */
  projectNameMaxChars: 64,
  transferProjects: 500,
  /** What somebody chooses who looks at held pictures: rectangles of each size, sizes, pictures that are left out. */
  pictureMaxPixels: 65_535,
  maskRectangles: 64,
  maskedSizes: 200,
  heldPicturesLeftOut: 10_000,
  deletePhrase: 'permanently delete',
  /** Why a study is under legal hold. */
  holdReasonMaxChars: 500,
  /** 9.08: reconnecting the live channel. */
  reconnectMaxTries: 5,
  reconnectFirstDelayMs: 1000,
  reconnectMaxDelayMs: 30_000,
  /** 9.09: when a notice hides by itself. */
  noticeMs: 5000,
  /** 4.13: throttle of mouse activity. */
  mouseThrottleMs: 500,
  /** 9.12: printed instructions for use are delivered within this many calendar days. */
  printedIfuDeliveryDays: 7,
  /** 9.14: sizes of the layout. */
  topBarPx: 60,
  sideNavigationPx: 220,
  sideNavigationCollapsedPx: 100,
  /** A logo is drawn into this box. */
  logoWidthPx: 480,
  logoHeightPx: 160,
  logoMaxBytes: 40_000,
} as const
