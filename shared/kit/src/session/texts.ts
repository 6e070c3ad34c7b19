/** Why a session ended, in the specification's words. */
export const sessionTexts = {
  /** 4.12, 8.06: the access token has expired. */
  renewalFailed: 'Your session renewal has failed. Please Login again.',
  /** 7.01, 8.06: a call met an invalid access token. */
  notValid: 'Your session is not valid anymore. Please login again to use the application.',
  /** 2.40: signed out after inactivity. */
  idledOut:
    "Your session's been inactive for a while, so we've logged you off from the product to keep your account details safe.",
  /** 6.01, 8.07: a service user may not sign in. */
  serviceUser: 'A service user account cannot be used to login on the web application.',
  signedOutElsewhere: 'You signed out in another tab.',
} as const
