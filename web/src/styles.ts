/** The look that all screens share: fonts and theme. */

import "./fonts.css";
import "./tokens.css";
import "./theme.css";
