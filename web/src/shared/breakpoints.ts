/** The widths from which there is more room. Style sheets ask for one less (`max-width: 699px`): a test holds them to it. */
export const FROM_PX = { handset: 560, tablet: 700, window: 900, laptop: 1300, desk: 1500 } as const;

/** The shorter side of a phone is less than this. */
export const HANDSET_PX = 500;
