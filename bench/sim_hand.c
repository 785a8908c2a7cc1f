/* The peer of bench/sim.py: craps as one would write it by hand in C, with branches, for three strategies, and one of them by a table.
 *
 * The dice are those of stickman.sim.dice, so that every session must come to the same money. Amounts are cents.
 * A line of output for each run: CPU seconds, rolls, the sums of net results, drawdowns and handle. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned __int128 wide;

struct dice {
    uint64_t s[4];
    uint64_t word;
    int left;
};

static inline uint64_t turned(uint64_t word, int by) { return word << by | word >> (64 - by); }

static void sit_down(struct dice *dice, uint64_t seed, uint64_t session) {
    uint64_t c[4] = {session, 0, 0, 0}, k = seed, l = 0x737469636B6D616EULL;
    for (int round = 0; round < 10; round++) {
        wide p = (wide)0xD2E7470EE14C6C93ULL * c[0], q = (wide)0xCA5A826395121157ULL * c[2];
        uint64_t next[4] = {(uint64_t)(q >> 64) ^ c[1] ^ k, (uint64_t)q, (uint64_t)(p >> 64) ^ c[3] ^ l, (uint64_t)p};
        memcpy(c, next, sizeof c);
        k += 0x9E3779B97F4A7C15ULL;
        l += 0xBB67AE8584CAA73BULL;
    }
    memcpy(dice->s, c, sizeof c);
    dice->left = 0;
}

static inline uint64_t next_word(uint64_t *s) {
    uint64_t word = turned(s[0] + s[3], 23) + s[0], shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = turned(s[3], 45);
    return word;
}

static const uint8_t TOTAL[36] = {2, 3, 4, 5, 6, 7, 3, 4, 5, 6, 7,  8, 4, 5, 6,  7,  8, 9,
                                  5, 6, 7, 8, 9, 10, 6, 7, 8, 9, 10, 11, 7, 8, 9, 10, 11, 12};

static inline int roll(struct dice *dice) {
    const uint64_t runs = 2821109907456ULL; /* 36 to the 8th */
    if (!dice->left) {
        do
            dice->word = next_word(dice->s);
        while (dice->word * runs < (0 - runs) % runs);
        dice->left = 8;
    }
    wide product = (wide)dice->word * 36;
    dice->word = (uint64_t)product;
    dice->left--;
    return TOTAL[(int)(product >> 64)];
}

/* What odds pay, as numerator and denominator, by point. */
static const int64_t WINS[11] = {0, 0, 0, 0, 2, 3, 6, 0, 6, 3, 2}, OF[11] = {1, 1, 1, 1, 1, 2, 5, 1, 5, 2, 1};

struct sums {
    int64_t rolls, net, drawdown, handle;
};

enum { PASS, PASS_ODDS, BUSY, PASS_BY_TABLE };

/* One session by the rules of shoot-to-win: winners stay up, odds and the Come that wins on its number come back,
 * Place rests on the come-out. A stake counts as handle once, on the first roll it works, and anew after a win.
 * `what` is a constant where this is called, so each strategy gets code of its own. */
static inline __attribute__((always_inline)) void session(int what, struct dice *dice, int64_t rolls, struct sums *sums) {
    int64_t equity = 0, peak = 0, fall = 0, handle = 0;
    int64_t pass = 0, odds = 0, come = 0, place6 = 0, place8 = 0;
    int64_t new_pass = 0, new_come = 0, new6 = 0, new8 = 0; /* not counted yet */
    int point = 0, covered = 0;
    for (int64_t n = 0; n < rolls; n++) {
        if (!pass) pass = new_pass = 1000;
        if (point && what >= PASS_ODDS && !odds) odds = 2000, handle += 2000;
        if (point && what == BUSY) {
            if (!come && !covered) come = new_come = 1000;
            if (!place6) place6 = new6 = 1200;
            if (!place8) place8 = new8 = 1200;
            handle += new6 + new8;
            new6 = new8 = 0;
        }
        handle += new_pass + new_come;
        new_pass = new_come = 0;
        int total = roll(dice);
        if (what == BUSY) {
            if (covered && total == covered) equity += 1000, covered = 0;
            else if (covered && total == 7) equity -= 1000, covered = 0;
            if (come) {
                if (total == 7) equity += 1000, come = 0;
                else if (total == 11) equity += 1000, new_come = 1000;
                else if (total == 2 || total == 3 || total == 12) equity -= 1000, come = 0;
                else covered = total, come = 0;
            }
            if (point) {
                if (total == 6) equity += 1400, new6 = 1200;
                else if (total == 8) equity += 1400, new8 = 1200;
                else if (total == 7) equity -= place6 + place8, place6 = place8 = 0;
            }
        }
        if (!point) {
            if (total == 7 || total == 11) equity += 1000, new_pass = 1000;
            else if (total == 2 || total == 3 || total == 12) equity -= 1000, pass = 0;
            else point = total;
        } else if (total == point) {
            equity += 1000 + odds * WINS[point] / OF[point];
            odds = 0, point = 0, new_pass = 1000;
        } else if (total == 7) {
            equity -= 1000 + odds;
            pass = odds = 0, point = 0;
        }
        if (equity > peak) peak = equity;
        if (peak - equity > fall) fall = peak - equity;
    }
    sums->rolls += rolls, sums->net += equity, sums->drawdown += fall, sums->handle += handle;
}

/* Pass alone, as one would write it for speed: a table of seven states. */
static struct edge {
    int16_t next, change, handle;
} EDGES[7 * 36];

static void lay_out(void) {
    static const int POINTS[7] = {0, 4, 5, 6, 8, 9, 10};
    for (int state = 0; state < 7; state++)
        for (int number = 0; number < 36; number++) {
            int total = TOTAL[number], point = POINTS[state], to = state, change = 0;
            if (!point && (total == 7 || total == 11)) change = 1000;
            else if (!point && (total == 2 || total == 3 || total == 12)) change = -1000;
            else if (!point)
                for (int p = 1; p < 7; p++) to = POINTS[p] == total ? p : to;
            else if (total == point) change = 1000, to = 0;
            else if (total == 7) change = -1000, to = 0;
            EDGES[state * 36 + number] = (struct edge){(int16_t)(to * 36), (int16_t)change, point ? 0 : 1000};
        }
}

static void pass_by_table(struct dice *dice, int64_t rolls, struct sums *sums) {
    const uint64_t runs = 2821109907456ULL;
    int64_t equity = 0, peak = 0, fall = 0, handle = 0, n = 0;
    unsigned at = 0;
    while (n < rolls) {
        uint64_t word;
        do
            word = next_word(dice->s);
        while (word * runs < (0 - runs) % runs);
        for (int k = 0; k < 8 && n < rolls; k++, n++) {
            wide product = (wide)word * 36;
            word = (uint64_t)product;
            const struct edge *edge = &EDGES[at + (unsigned)(product >> 64)];
            at = (unsigned)edge->next;
            equity += edge->change;
            handle += edge->handle;
            if (equity > peak) peak = equity;
            if (peak - equity > fall) fall = peak - equity;
        }
    }
    sums->rolls += rolls, sums->net += equity, sums->drawdown += fall, sums->handle += handle;
}

static void play(int what, uint64_t seed, int64_t sessions, int64_t rolls, struct sums *sums) {
    for (int64_t number = 0; number < sessions; number++) {
        struct dice dice;
        sit_down(&dice, seed, (uint64_t)number);
        if (what == PASS) session(PASS, &dice, rolls, sums);
        else if (what == PASS_ODDS) session(PASS_ODDS, &dice, rolls, sums);
        else if (what == BUSY) session(BUSY, &dice, rolls, sums);
        else pass_by_table(&dice, rolls, sums);
    }
}

int main(int count, char **words) {
    if (count != 5) return 2;
    struct sums sums = {0};
    lay_out();
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    play(atoi(words[1]), strtoull(words[2], 0, 10), atoll(words[3]), atoll(words[4]), &sums);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%.9f %lld %lld %lld %lld\n", (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec),
           (long long)sums.rolls, (long long)sums.net, (long long)sums.drawdown, (long long)sums.handle);
    return 0;
}
