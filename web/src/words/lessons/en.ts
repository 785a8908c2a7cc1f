/** The words of the lessons, in English. */

import type { Lesson } from "../../wire.ts";

export const en = {
  lessons: {
    question: "New to craps?",
    easy: "Beginner mode",
    learn: "Lessons",
    know: "I know the game",
    title: "New to craps?",
    about: "A lesson takes about a minute. You play on a practice table: its money is not real.",
    practice: "Practice: no real money",
    goes_on: "Your own table goes on meanwhile.",
    name: "Lesson {n} of {of}: {name}",
    step: "{n} / {of}",
    price: "Price: of each $100 bet here, the house keeps {amount} on average.",
    free: "The house has no advantage here: there is no house edge.",
    open: "First open {tab}.",
    next: "Next lesson",
    leave: "Back to the table",
    over: "The practice is over. At the table you play with your own money again.",
    names: {
      pass: "Pass Line",
      odds: "Odds",
      come: "Come",
      place: "Place",
      props: "Field and one-roll bets",
      sides: "Special games",
    } satisfies Record<Lesson["lesson"], string>,
    says: {
      bet_pass: "Tap the Pass Line. On the first roll 7 or 11 wins, and 2, 3 or 12 loses.",
      bet_line: "First tap the Pass Line.",
      bet_odds: "4 is the point. Take odds behind your bet (PASS ODDS): they pay exactly what they are worth.",
      bet_come: "Tap COME. This bet gets a point of its own from the next roll.",
      bet_place: "Choose a number yourself: tap PLACE 6. It wins if a 6 comes before a 7.",
      bet_field: "Tap the Field. It wins or loses on the next roll: 2, 3, 4, 9, 10, 11 and 12 win.",
      bet_eleven:
        "Now tap YO, the bet on eleven: it pays 15 to 1, if an 11 comes on the very next roll. Look at its price.",
      bet_small: "Tap SMALL in BONUS CRAPS. It wins if 2, 3, 4, 5 and 6 all come before a 7.",
      throw_first: "Tap the dice to throw them.",
      throw_point: "6 is the point now, as the puck shows. You win if a 6 comes before a 7. Throw.",
      throw_odds: "Throw. If the 4 comes, your bet and your odds win.",
      throw_come: "Throw. Your bet moves to the number that comes.",
      throw_come_point: "Your bet has moved to the 9. If another 9 comes, it wins. Throw.",
      throw_place: "Throw for the 6.",
      throw_last: "That won! Your first bet still waits for the point. Throw.",
      throw_field: "Throw. A 12 pays the Field 2 to 1.",
      throw_eleven: "Throw for eleven.",
      throw_small: "Throw. Each number that comes is marked.",
      throw_more: "One more is marked. Throw again.",
      throw_small_last: "Only the 6 is missing. Throw.",
      won: "You won {amount}! It is in your practice credit.",
    } satisfies Record<Lesson["says"], string>,
  },
};

export type LessonsCatalogue = typeof en;
